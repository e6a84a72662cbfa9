import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { configType } from '../../../local/generate/configType.ts';
import { Bug } from '../../../src/errors/bug.ts';

test('objects, records, unions and optional fields become those of Bicep', () => {
  const schema = z.strictObject({
    name: z.string(),
    on: z.boolean().optional(),
    tables: z
      .record(z.string(), z.strictObject({ updates: z.enum(['merge', 'replace']).optional() }))
      .optional(),
  });
  assert.equal(
    configType(schema),
    `@export()
@sealed()
type replicaConfig = {
  name: string
  on: bool?
  tables: {
    @sealed()
    *: {
      updates: ('merge' | 'replace')?
    }
  }?
}
`,
  );
});

// Without it a new kind of choice would be missing in the templates, silently.
test('what has no counterpart is refused', () => {
  assert.throws(() => configType(z.strictObject({ list: z.array(z.string()) })), Bug);
});
