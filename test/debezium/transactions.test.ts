import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { replicate } from '../../src/pipeline.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermarks } from '../../src/watermark/moveWatermarks.ts';
import { type PayloadParts, plainMessage, source, type TestField } from '../support/debeziumMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { testServices, testSettings } from '../support/testServices.ts';

const options = { partitions: 1, idleMs: 1_000, withOrder: false, ttlSeconds: 60 };

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
  const progress = new MemoryProgress();
  let time = 0;
  const tracking = new Tracking(progress, options, () => time);
  const rules = new RuleBook(readReplicaConfig('{"tables":{"testDB.*.*":{"key":["pk"]}}}'));
  const services = { ...testServices({ settings: { ...testSettings, rules } }), tracking };
  await replicate(hubMessages(bodies), services);
  time = now;
  const deadline = new Deadline(60);
  await moveWatermarks(services, deadline, 0);
  deadline.end();
  return progress;
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
        { data_collection: 'testDB.dbo.tablea', event_count: 1 },
        { data_collection: 'testDB.dbo.tableb', event_count: 1 },
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
