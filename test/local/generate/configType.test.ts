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

test('lists and odd names, too; of a union of texts and objects only that there is something', () => {
  const schema = z.strictObject({
    $schema: z.string().optional(),
    key: z.array(z.string()),
    ways: z.array(z.enum(['a', 'b'])).optional(),
    masks: z.record(z.string(), z.union([z.literal('hash'), z.strictObject({ last: z.int() })])),
  });
  assert.equal(
    configType(schema),
    `@export()
@sealed()
type replicaConfig = {
  '$schema': string?
  key: string[]
  ways: ('a' | 'b')[]?
  masks: {
    #disable-next-line no-explicit-any
    *: any
  }
}
`,
  );
});

// Without it a new kind of choice would be missing in the templates, silently.
test('what has no counterpart is refused', () => {
  assert.throws(() => configType(z.strictObject({ pair: z.tuple([z.string(), z.int()]) })), Bug);
  assert.throws(() => configType(z.strictObject({ share: z.number() })), Bug);
});
