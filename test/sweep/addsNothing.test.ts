import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeHead } from '../../src/model/changeHead.ts';
import { replicate } from '../../src/pipeline.ts';
import type { StoreOperation } from '../../src/replica/replicaStore.ts';
import { configSchema, type ReplicaConfig } from '../../src/settings/configSchema.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { addsNothing } from '../../src/sweep/addsNothing.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { changeOf } from '../support/readBody.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { type TestServices, testServices, testSettings } from '../support/testServices.ts';

const { signal } = new AbortController();

function servicesOf(config: ReplicaConfig): TestServices {
  const rules = new RuleBook(configSchema.parse(config), 0, 'a salt of the tests');
  return testServices({ settings: { ...testSettings, rules } });
}

const headOf = (event: TestEvent): ChangeHead => changeOf(jsonMessage(event));

/** What the sweep finds of an old change when a newer one has been applied, and what it asked the store for. */
async function answerFor(
  config: ReplicaConfig,
  older: TestEvent,
  newer: TestEvent,
): Promise<readonly [answer: boolean | undefined, asked: readonly StoreOperation[]]> {
  const services = servicesOf(config);
  await replicate(hubMessages([jsonMessage(newer)]), services);
  const asked: StoreOperation[] = [];
  services.store.fault = (operation) => {
    asked.push(operation);
    return undefined;
  };
  return [await addsNothing(headOf(older), services, signal), asked];
}

const named = (name: string, position: number, db = 'shop') =>
  insertEvent(0, position, {
    db,
    cols: [{ name: 'Name', type: 'varchar(9)', index: 0 }],
    pkkey: [{ columnname: 'Name', value: name }],
    current: JSON.stringify({ Name: name }),
  });

test('the row is looked for where the rules of its table put it', async () => {
  const tables = {
    'before.dbo.Items': {
      container: 'other',
      normalize: { Name: ['ci' as const, 'rtrim' as const] },
      columns: { mask: { Name: { fixed: '*' } } },
    },
  };
  const config = { databases: { now: { name: 'before' } }, tables };
  const [answer, asked] = await answerFor(config, named('abc ', 1, 'before'), named('ABC', 2, 'now'));
  assert.equal(answer, true);
  assert.deepEqual(
    asked.map(({ kind, container }) => [kind, container]),
    [['read', 'other']],
  );
  const [other] = await answerFor(
    { databases: config.databases },
    named('abc', 1, 'before'),
    named('ABC', 2, 'now'),
  );
  assert.equal(other, false);
});

test('a change of a table that is left out adds nothing, and nothing is asked', async () => {
  const config = { tables: { 'shop.*.*': { include: false } } };
  assert.deepEqual(await answerFor(config, named('a', 1), named('a', 2)), [true, []]);
});

// The beginning of an event tells the primary key only; the row that it names may be another one.
test('a change of a table whose key is configured may add something', async () => {
  const config = { tables: { 'shop.*.*': { key: ['Name'] } } };
  assert.deepEqual(await answerFor(config, named('a', 1), named('a', 2)), [false, []]);
});

test('a change that would be a dead letter is not called superseded', async () => {
  const config = { tables: { 'shop.dbo.Items': { columns: { rename: { Id: 'Name' } } } } };
  const services = servicesOf(config);
  assert.equal(await addsNothing(headOf(insertEvent(1, 1)), services, signal), false);
});
