import { z } from 'zod';
import { configSchema } from '../../src/settings/configSchema.ts';

/** Files that repeat what `src` says, by path from the root: they cannot drift apart. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    'docs/replica-config.schema.json': `${JSON.stringify(z.toJSONSchema(configSchema), null, 2)}\n`,
  };
}
