import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { parseLsn } from '../../src/model/lsn.ts';
import { replicate } from '../../src/pipeline.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermarks } from '../../src/watermark/moveWatermarks.ts';
import { numberRows } from '../../src/watermark/numberRows.ts';
import {
  debeziumCase,
  type PayloadParts,
  plainMessage,
  source,
  type TestField,
} from '../support/debeziumMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { MemoryRowFinder } from '../support/memoryRowFinder.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices, testSettings } from '../support/testServices.ts';

const options = { partitions: 1, idleMs: 1_000, withOrder: true, ttlSeconds: 60 };

function change(table: string, commit_lsn: string, total_order?: string, more: PayloadParts = {}): Buffer {
  const pk: TestField = ['pk', { type: 'int32' }, total_order ?? '1'];
  return plainMessage([pk], {
    source: {
      ...source,
      db: 'testDB',
      table,
      commit_lsn,
      change_lsn: commit_lsn,
      event_serial_no: Number(total_order ?? 1),
    },
    ...(total_order !== undefined && {
      transaction: { id: commit_lsn, total_order, data_collection_order: '1' },
    }),
    ...more,
  });
}

async function track(bodies: readonly Buffer[], now: number): Promise<MemoryProgress> {
  return (await play(bodies, now)).progress;
}

/** Also gives rows their places. */
async function play(bodies: readonly Buffer[], now: number) {
  const progress = new MemoryProgress();
  let time = 0;
  const tracking = new Tracking(progress, options, () => time);
  const rules = new RuleBook(readReplicaConfig('{"tables":{"testDB.*.*":{"key":["pk"]}}}'));
  const services = { ...testServices({ settings: { ...testSettings, rules } }), tracking };
  await replicate(hubMessages(bodies), services);
  time = now;
  const deadline = new Deadline(60);
  await moveWatermarks(services, deadline, 0);
  const finder = new MemoryRowFinder(services.store);
  await numberRows({ ...services, finder }, ['testDB'], now + 1, deadline);
  deadline.end();
  const rows = services.store.items();
  // A copy of a change tells no place, or the same.
  const { report } = await replicate(hubMessages(bodies), services);
  assert.equal(report.writes, 0);
  return { progress, rows };
}

test('the transaction of the messages that Debezium documents ends as its END message says', async () => {
  const id = '00000025:00000d08:0025';
  const bodies = [
    change('tablea', id, '1'),
    change('tableb', id, '2'),
    change('tablea', '00000025:00000d09:0001', '1'),
  ];
  const item = (await track(bodies, 0)).item(`testDB:${id}`);
  assert.ok(item !== undefined);
  assert.deepEqual(
    ['status', 'id', 'event_count', 'data_collections', 'closed_by'].map((name) => item[name]),
    [
      'END',
      id,
      2,
      [
        { data_collection: 'testDB.dbo.tablea', event_count: 1, total_orders: '1' },
        { data_collection: 'testDB.dbo.tableb', event_count: 1, total_orders: '2' },
      ],
      'position',
    ],
  );
});

test('without the transaction block it ends without counts, and the watermark moves all the same', async () => {
  const progress = await track([change('tablea', '00000025:00000d08:0025')], options.idleMs);
  const item = progress.item('testDB:00000025:00000d08:0025');
  assert.deepEqual([item?.['status'], item?.['event_count'], item?.['untracked']], ['END', null, true]);
  assert.equal(progress.item('testDB:watermark')?.['transaction'], '00000025:00000d08:0025');
});

test('a snapshot belongs to no transaction', async () => {
  const snapshot = change('tablea', '00000025:00000d08:0025', undefined, { op: 'r' });
  assert.deepEqual((await track([snapshot], options.idleMs)).items(), []);
});

/** A change that CES tells of one of those tables. */
function told(table: string, pk: string, commit_lsn: string, sequence: number): Buffer {
  const event = insertEvent(1, 1);
  const [streamGroup] = event.logicalid.split(':');
  const digits = String(sequence).padStart(20, '0');
  return jsonMessage({
    ...event,
    logicalid: `${streamGroup}:${parseLsn(commit_lsn)}:${digits}`,
    commitlsn: commit_lsn,
    sequencenumber: sequence,
    db: 'testDB',
    tbl: table,
    cols: ['pk', 'aa'].map((name, index) => ({ name, type: 'varchar(9)', index })),
    pkkey: [{ columnname: 'pk', value: pk }],
    current: JSON.stringify({ pk, aa: '1' }),
  });
}

test('the enriched change that Debezium documents comes out of the same history, whichever of both tells it', async () => {
  const [id, next] = ['00000025:00000d08:0025', '00000025:00000d09:0001'];
  const [ces, debezium] = await Promise.all([
    play([told('tablea', '2', id, 1), told('tableb', '3', id, 2), told('tableb', '4', next, 1)], 0),
    play([debeziumCase('enriched-change.json'), change('tableb', id, '2'), change('tableb', next, '1')], 0),
  ]);
  const { transaction } = JSON.parse(debeziumCase('enriched-change.json').toString());
  for (const { rows } of [ces, debezium]) {
    const row = rows.find((item) => item.id === 'testDB.dbo.tablea:2');
    assert.deepEqual(row?.row, { pk: '2', aa: '1' });
    const orders = Object.entries(row._ces.transaction ?? {}).map(([name, value]) => [name, String(value)]);
    assert.deepEqual(Object.fromEntries(orders), transaction);
  }
  const ends = [ces, debezium].map(({ progress }) => progress.item(`testDB:${id}`)?.['data_collections']);
  assert.deepEqual(ends[0], ends[1]);
});
