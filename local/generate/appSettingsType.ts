import type { Setting } from '../../src/settings/settingsCatalogue.ts';
import { bicepText } from './bicepText.ts';

/**
 * The app settings as a type of Bicep: the compiler refuses a template that leaves a required one out, or sets one
 * that nothing reads. Secrets are left out, so no template can set them, and what they stand in for is required.
 */
export function appSettingsType(catalogue: Readonly<Record<string, Setting>>): string {
  const replaceable = Object.values(catalogue).map(({ insteadOf }) => insteadOf);
  const fields = Object.entries(catalogue)
    .filter(([, { secret }]) => secret !== true)
    .map(([name, { required, put }]) => {
      const optional = required || replaceable.includes(name) ? '' : '?';
      return `  @description(${bicepText(put)})\n  ${name}: string${optional}\n`;
    });
  return `@export()\n@sealed()\ntype appSettings = {\n${fields.join('\n')}}\n`;
}
