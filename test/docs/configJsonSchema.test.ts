import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { configSchema } from '../../src/settings/configSchema.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';

type Schema = Readonly<Record<string, unknown>>;

const published: Schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/replica-config.schema.json'), 'utf8'),
);

/** Every property with a name of its own, by its path. */
function propertiesOf(schema: Schema, path = '$'): [path: string, schema: Schema, parent: Schema][] {
  const inner = (value: unknown, name: string): ReturnType<typeof propertiesOf> =>
    typeof value === 'object' && value !== null ? propertiesOf(value as Schema, name) : [];
  const named = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  return [
    ...named.flatMap(
      ([name, value]): ReturnType<typeof propertiesOf> => [
        [`${path}.${name}`, value, schema],
        ...inner(value, `${path}.${name}`),
      ],
    ),
    ...inner(schema['additionalProperties'], `${path}.*`),
    ...inner(schema['items'], `${path}[]`),
    ...((schema['anyOf'] ?? []) as Schema[]).flatMap((one) => inner(one, path)),
  ];
}

test('an editor can say of every property what it is, and which there are', () => {
  const properties = propertiesOf(published);
  assert.ok(properties.length > 20, `${properties.length} properties`);
  for (const [path, schema, parent] of properties) {
    assert.ok(String(schema['description'] ?? '').length > 10, `${path} has a description`);
    assert.equal(parent['additionalProperties'], false, `${path} has no unknown neighbours`);
  }
});

test('it allows a property $schema, so that an editor finds it, and so does the app', () => {
  const document = { $schema: './replica-config.schema.json', tables: {} };
  assert.ok(propertiesOf(published).some(([path]) => path === '$.$schema'));
  assert.deepEqual(readReplicaConfig(JSON.stringify(document)), document);
});

test('its patterns are those of editors, too', () => {
  const patterns = [...JSON.stringify(published).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  assert.ok(patterns.length > 2);
  for (const [, text = ''] of patterns) assert.doesNotThrow(() => new RegExp(JSON.parse(text), 'u'), text);
});

// The schema is read back, as an editor does, and asked about the same documents as the app.
test('it takes and refuses what the app does', () => {
  const asPublished = z.fromJSONSchema(published as Parameters<typeof z.fromJSONSchema>[0]);
  const table = (choices: unknown, name = 'db1.dbo.Items') => ({ tables: { [name]: choices } });
  const documents: readonly (readonly [document: unknown, right: boolean])[] = [
    [{}, true],
    [table({}), true],
    [table({}, '*.dbo.[a.b*]'), true],
    [table({ columns: { mask: { a: 'hash', b: { fixed: '' }, c: { last: 4 } } } }), true],
    [table({ key: ['a'], normalize: { a: ['ci', 'rtrim'] }, updates: 'replace', deletes: 'soft' }), true],
    [{ types: { bigint: 'number' }, databases: { new: { name: 'old', epoch: 1 } } }, true],
    [[], false],
    [{ table: {} }, false],
    [table({}, 'db1.Items'), false],
    [table({ update: 'merge' }), false],
    [table({ updates: 'Merge' }), false],
    [table({ key: [] }), false],
    [table({ key: 'a' }), false],
    [table({ itemBytes: 1 }), false],
    [table({ container: 'a/b' }), false],
    [table({ types: { 'decimal(9,2)': 'number' } }), false],
    [table({ columns: { mask: { a: 'Hash' } } }), false],
    [table({ columns: { mask: { a: { last: 0 } } } }), false],
    [table({ columns: { mask: { a: { fixed: 'x', last: 4 } } } }), false],
    [{ databases: { a: { epoch: 10_000 } } }, false],
  ];
  for (const [document, right] of documents) {
    assert.equal(configSchema.safeParse(document).success, right, JSON.stringify(document));
    assert.equal(asPublished.safeParse(document).success, right, JSON.stringify(document));
  }
});
