import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUT_OF_ORDER_WINDOW } from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import {
  debeziumCase,
  type PayloadParts,
  plainMessage,
  schemaMessage,
  source,
  type TestField,
} from '../support/debeziumMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';
import { type TestServices, testServices, testSettings } from '../support/testServices.ts';

const keyed = { tables: { 'shop.dbo.Items': { key: ['Id'] }, 'testDB.*.*': { key: ['pk'] } } };

function servicesWith(config: object = keyed): TestServices {
  const rules = new RuleBook(readReplicaConfig(JSON.stringify(config)));
  return testServices({ settings: { ...testSettings, rules } });
}

const fields = (name: string): readonly TestField[] => [
  ['Id', { type: 'int32' }, '1'],
  ['Name', { type: 'string' }, JSON.stringify(name)],
];
const at = (change_lsn: string, parts: object = {}): PayloadParts => ({
  source: { ...source, change_lsn, ...parts },
});
const created = schemaMessage(fields('created'));
const updated = schemaMessage(fields('updated'), {
  op: 'u',
  ...at('0000002c:00000300:0179'),
  transaction: { id: source.commit_lsn, total_order: '2', data_collection_order: '2' },
});
const deleted = schemaMessage(fields('updated'), {
  op: 'd',
  before: 'ROW',
  after: null,
  ...at('0000002c:00000300:017a'),
});
const read = (name: string, parts: object = {}): Buffer =>
  schemaMessage(fields(name), {
    op: 'r',
    source: {
      ...source,
      snapshot: 'true',
      change_lsn: null,
      event_serial_no: null,
      ts_ms: source.ts_ms + 2 * 3_600_000,
      ...parts,
    },
  });

test('the published messages: the change is applied, the boundaries are left out', async () => {
  const services = servicesWith();
  const names = ['transaction-begin.json', 'enriched-change.json', 'transaction-end.json'];
  const { report, letters } = await replicate(hubMessages(names.map(debeziumCase)), services);
  assert.deepEqual([report.applied, report.excluded, letters.length], [1, 2, 0]);
  const [item] = services.store.items();
  assert.deepEqual([item?.id, item?.row], ['testDB.dbo.tablea:2', { pk: '2', aa: '1' }]);
  assert.deepEqual(item?._ces, {
    version: '0000:0000002500000D080025:0000002500000D080021-0000000001',
    image: '0000:0000002500000D080025:0000002500000D080021-0000000001',
    operation: 'INS',
    time: '2020-01-30T13:28:04.300Z',
    transaction: { id: '00000025:00000d08:0025', total_order: 1 },
  });
});

test('without a configured key a change is put aside, and the table is named', async () => {
  const services = servicesWith({});
  const { letters, warnings } = await replicate(hubMessages([created]), services);
  assert.deepEqual(
    letters.map(({ error, message }) => [error.code, message.body]),
    [['no-key', created]],
  );
  assert.match(letters[0]?.error.message ?? '', /^Debezium does not tell the key of shop\.dbo\.Items, /);
  assert.deepEqual(
    warnings.map(({ code, subject }) => [code, subject]),
    [['no-key', 'shop.dbo.Items']],
  );
});

test('changes in any order end in the newest, and come again without a write', async () => {
  const services = servicesWith();
  await replicate(hubMessages([updated, created]), services);
  const [item] = services.store.items();
  assert.deepEqual(item?.row, { Id: 1, Name: 'updated' });
  assert.deepEqual(item?._ces.transaction, { id: source.commit_lsn, total_order: 2 });
  const { report } = await replicate(hubMessages([created, updated]), services);
  assert.deepEqual([report.superseded, report.writes], [2, 0]);
  await replicate(hubMessages([deleted]), services);
  assert.equal(services.store.items()[0]?.deleted, true);
});

test('what the message told of its transaction stays when an older change is added', async () => {
  const services = servicesWith();
  const moreColumns: readonly TestField[] = [...fields('created'), ['More', { type: 'string' }, '"x"']];
  await replicate(hubMessages([updated]), services);
  await replicate(hubMessages([schemaMessage(moreColumns)]), services);
  const [item] = services.store.items();
  assert.deepEqual(item?.row, { Id: 1, Name: 'updated', More: 'x' });
  assert.deepEqual(item?._ces.transaction, { id: source.commit_lsn, total_order: 2 });
});

test('a row of a snapshot never overwrites a change, before it or after it, and nobody is warned', async () => {
  for (const batch of [
    [read('stale'), updated],
    [updated, read('stale')],
  ]) {
    const services = servicesWith();
    for (const body of batch) {
      const { warnings } = await replicate(hubMessages([body]), services);
      assert.deepEqual(warnings, []);
    }
    assert.deepEqual(services.store.items()[0]?.row, { Id: 1, Name: 'updated' });
  }
});

test('rows of a snapshot that come late are not disorder', async () => {
  const services = servicesWith();
  await replicate(hubMessages([created]), services);
  const rows = Array.from({ length: OUT_OF_ORDER_WINDOW + 1 }, (_, index) =>
    read('stale', { ts_ms: source.ts_ms + index * 1000 }),
  );
  const { warnings, report } = await replicate(hubMessages(rows), services);
  assert.deepEqual(warnings, []);
  assert.equal(report.superseded, rows.length);
});

test('a row of a snapshot does not bring a deleted row back, and fills in what changes did not tell', async () => {
  const services = servicesWith();
  await replicate(hubMessages([deleted]), services);
  await replicate(hubMessages([read('stale')]), services);
  assert.equal(services.store.items()[0]?.deleted, true);

  const other = servicesWith();
  const partial = schemaMessage(
    [
      ['Id', { type: 'int32' }, '1'],
      ['Name', { type: 'string' }, '"__debezium_unavailable_value"'],
    ],
    {
      op: 'u',
      ...at('0000002c:00000300:0179'),
    },
  );
  await replicate(hubMessages([partial]), other);
  assert.deepEqual(other.store.items()[0]?.row, { Id: 1 });
  await replicate(hubMessages([read('from the snapshot')]), other);
  assert.deepEqual(other.store.items()[0]?.row, { Id: 1, Name: 'from the snapshot' });
  assert.equal(other.store.items()[0]?._ces.version.slice(5, 25), '0000002C00000300017C');
});

test('the placeholder that REPLICA_CONFIG names is a column that was not sent', async () => {
  const services = servicesWith({ ...keyed, debezium: { unavailableValue: '(unknown)' } });
  const partial = schemaMessage(fields('(unknown)'), { op: 'u', ...at('0000002c:00000300:0179') });
  await replicate(hubMessages([created]), services);
  await replicate(hubMessages([partial]), services);
  assert.deepEqual(services.store.items()[0]?.row, { Id: 1, Name: 'created' });
});

test('a later snapshot overwrites an earlier one, in any order, and belongs to no transaction', async () => {
  const [early, late] = [read('early'), read('late', { commit_lsn: '0000002d:00000010:0001' })];
  for (const batch of [
    [early, late],
    [late, early],
  ]) {
    const services = servicesWith();
    for (const body of batch) await replicate(hubMessages([body]), services);
    assert.deepEqual(services.store.items()[0]?.row, { Id: 1, Name: 'late' });
    assert.equal(services.store.items()[0]?._ces.transaction, undefined);
  }
});

test('a hub may carry both: of one transaction the changes of either source come to the same row', async () => {
  const lsn = '0000002C00000300017C';
  const told = (sequence: number, Name: string) => {
    const current = JSON.stringify({ Id: '1', Name });
    const event = insertEvent(1, 1, { current, ...(sequence > 1 && { operation: 'UPD' as const }) });
    const [streamGroup] = event.logicalid.split(':');
    const logicalid = `${streamGroup}:${lsn}:${String(sequence).padStart(20, '0')}`;
    return jsonMessage({ ...event, logicalid, commitlsn: lsn, sequencenumber: sequence });
  };
  const ces = [told(1, 'created'), told(2, 'updated')];
  for (const batch of [
    [...ces, created, updated],
    [created, updated, ...ces],
    [updated, ces[1], created, ces[0]],
  ]) {
    const services = servicesWith();
    for (const body of batch) if (body !== undefined) await replicate(hubMessages([body]), services);
    const items = services.store.items();
    assert.equal(items.length, 1);
    assert.equal(items[0]?.row?.['Name'], 'updated');
  }
});

test('without schemas numbers stay text, to the last digit, unless the configuration has another type', async () => {
  const schemaless = plainMessage([
    ['Id', {}, '9007199254740993'],
    ['Count', {}, '7'],
    ['Paid', {}, 'true'],
  ]);
  const services = servicesWith();
  await replicate(hubMessages([schemaless]), services);
  const [item] = services.store.items();
  assert.equal(item?.id, 'shop.dbo.Items:9007199254740993');
  assert.deepEqual(item?.row, { Id: '9007199254740993', Count: '7', Paid: true });
  const typed = servicesWith({
    tables: { 'shop.dbo.Items': { key: ['Id'], columns: { types: { Id: 'number', Count: 'number' } } } },
  });
  await replicate(hubMessages([schemaless]), typed);
  assert.deepEqual(typed.store.items()[0]?.row, { Id: '9007199254740993', Count: 7, Paid: true });
});

test('a value that is not of its type is kept and counted', async () => {
  const { report } = await replicate(
    hubMessages([
      schemaMessage([
        ['Id', { type: 'int32' }, '1'],
        ['Day', { type: 'int32', name: 'io.debezium.time.Date' }, '"soon"'],
      ]),
    ]),
    servicesWith(),
  );
  assert.equal(report.unparsedValues, 1);
});
