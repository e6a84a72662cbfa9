import { z } from 'zod';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import { configSchema } from '../../src/settings/configSchema.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { appSettingsType } from './appSettingsType.ts';
import { bicepText } from './bicepText.ts';
import { configType } from './configType.ts';

/** Files that repeat for the templates and for editors what `src` says, by path from the root: they cannot drift apart. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    'infra/generated/appSettings.bicep': file('settingsCatalogue', appSettingsType(settingsCatalogue)),
    'infra/generated/replicaConfig.bicep': file('configSchema', configType(configSchema)),
    'infra/generated/blobContainers.bicep': file('blobContainers', containersVariable(blobContainers)),
    'docs/replica-config.schema.json': `${JSON.stringify(z.toJSONSchema(configSchema), null, 2)}\n`,
  };
}

function file(source: string, text: string): string {
  return `// Written by "npm run generate" from src/settings/${source}.ts.\n\n${text}`;
}

function containersVariable(containers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(containers).map(([key, name]) => `  ${key}: ${bicepText(name)}\n`);
  return `@export()\nvar blobContainers = {\n${fields.join('')}}\n`;
}
