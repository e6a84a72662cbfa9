import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { binaryModes } from '../../src/debezium/debeziumOptions.ts';
import { replicate } from '../../src/pipeline.ts';
import { configSchema } from '../../src/settings/configSchema.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { ContainerStores } from '../support/containerStores.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { testServices, testSettings } from '../support/testServices.ts';
import { blocksOf, type Example, type ExampleChange, examplesOf, refusalsOf } from './examples.ts';

const page = readFileSync(new URL('../../docs/replica-config.md', import.meta.url), 'utf8');
/** As the page says. */
const SALT = '0123456789abcdef';

describe('the examples do what the page says', () => {
  for (const example of examplesOf(page)) {
    test(`line ${example.line}`, () => run(example));
  }

  test('every block is part of one, or of a refusal, or a command', () => {
    const known = /^(json (config|changes|items|dead-letters|refused)|text|sh)$/;
    for (const { info, line } of blocksOf(page)) assert.match(info, known, `line ${line}`);
  });
});

test('what the page says is refused is refused in these words', () => {
  const refusals = refusalsOf(page);
  assert.ok(refusals.length > 0);
  for (const [document, message] of refusals) assert.throws(() => readReplicaConfig(document), { message });
});

/** Examples are changes of CES; what Debezium sends is in `test/debezium`. */
const elsewhere: ReadonlySet<string> = new Set([
  '$schema',
  'debezium',
  'binary',
  'unavailableValue',
  ...binaryModes,
]);

test('every option and every choice of one has an example with changes', () => {
  const examples = examplesOf(page).filter(({ steps }) => steps.some(({ items }) => items.length > 0));
  const used = examples.flatMap(({ config }) => namesIn(JSON.parse(config)));
  const there = optionsOf(z.toJSONSchema(configSchema)).filter((name) => !elsewhere.has(name));
  assert.ok(there.length > 30, `${there.length} options and choices`);
  assert.deepEqual([...new Set(there)].filter((name) => !used.includes(name)).sort(), []);
});

test('the example that the README names is right, and leads an editor to the schema', () => {
  const folder = new URL('../../docs/', import.meta.url);
  const { $schema = '' } = readReplicaConfig(fileURLToPath(new URL('replica-config.example.json', folder)));
  assert.ok(existsSync(new URL($schema, folder)));
});

async function run({ config, steps }: Example): Promise<void> {
  const rules = new RuleBook(readReplicaConfig(config), 0, SALT);
  const settings = { ...testSettings, rules };
  const { deadLetters, ...others } = testServices({ settings });
  const store = new ContainerStores();
  const services = { ...others, deadLetters, store };
  let position = 0;
  for (const { changes, items, deadLetters: codes } of steps) {
    const before = deadLetters.reasons().length;
    for (const change of changes) {
      position += 1;
      await replicate(hubMessages([jsonMessage(eventOf(change, position))], position), services);
    }
    assert.deepEqual(deadLetters.reasons().slice(before), codes);
    const found = [...store.stores].flatMap(([container, one]) =>
      one.items().map((item): Record<string, unknown> => ({ ...item, container })),
    );
    assert.deepEqual(found.map(({ id }) => id).sort(), items.map(({ id }) => id).sort());
    for (const wanted of items) {
      const item = found.find(({ id }) => id === wanted['id']);
      const shown = ['row', 'deleted', 'container', ...Object.keys(wanted)];
      for (const name of shown) assert.deepEqual(item?.[name], wanted[name], `${name} of ${wanted['id']}`);
    }
  }
}

function eventOf({ table, operation, key, types, current, old }: ExampleChange, position: number): TestEvent {
  const [db = '', schema = '', tbl = ''] = table.split('.');
  const [now, before] = [valuesOf(current), valuesOf(old)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  return insertEvent(0, position, {
    db,
    schema,
    tbl,
    operation,
    cols: names.map((name, index) => ({ name, type: types[name] ?? 'nvarchar(100)', index })),
    pkkey: key.map((columnname) => ({
      columnname,
      value: String((operation === 'DEL' ? before : now)[columnname]),
    })),
    current: JSON.stringify(now),
    old: JSON.stringify(before),
  });
}

function valuesOf(written: ExampleChange['current']): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? value.repeat.repeat(value.times) : value,
    ]),
  );
}

/** Names of properties, and texts and truths, wherever they stand. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** The properties that a schema names, and the choices that it gives. */
function optionsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, enum: choices, const: choice, ...others } = schema as Readonly<Record<string, unknown>>;
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => [name, ...optionsOf(inner)]),
    ...(Array.isArray(choices) ? choices.map(String) : []),
    ...(choice === undefined ? [] : [String(choice)]),
    ...Object.values(others).flatMap(optionsOf),
  ];
}
