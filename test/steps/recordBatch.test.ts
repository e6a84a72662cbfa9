import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BatchOutcome, replicate } from '../../src/pipeline.ts';
import { recordBatch } from '../../src/steps/recordBatch.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryTelemetry } from '../support/memoryTelemetry.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

/** When all changes of the tests were committed. */
const COMMITTED = Date.parse('2026-08-07T16:25:00.890Z');

function recorded(outcome: BatchOutcome, now: number): MemoryTelemetry {
  const telemetry = new MemoryTelemetry();
  recordBatch(outcome, telemetry, '3', now);
  return telemetry;
}

test('a batch of every kind', async () => {
  const services = testServices();
  const insert = insertEvent(1, 10);
  const orders = { tbl: 'Orders' };
  const [s0, s1] = splitMessages(insertEvent(6, 15), { form: 'latin1', base: 1, cuts: [99] });
  const [w0, w1] = splitMessages(insertEvent(7, 16), { form: 'avro', base: 0, cuts: [99] });
  assert.ok(s0 && s1 && w0 && w1);
  const batch = [
    jsonMessage(insert),
    jsonMessage(insert),
    jsonMessage(insertEvent(2, 11, { ...orders, current: '{"Id":"two"}' })),
    jsonMessage(
      insertEvent(4, 12, { ...orders, operation: 'UPD', old: '{"Id":"3"}', current: '{"Id":"4"}' }),
    ),
    jsonMessage(insertEvent(5, 13, { ...orders, pkkey: [] })),
    Buffer.from('junk'),
    s0,
    s1,
    w0,
    w0,
  ];
  const first = recorded(await replicate(hubMessages(batch), services), COMMITTED + 2_500);
  assert.deepEqual(first.sums, {
    'replica.received{table=shop.dbo.Items}': 4,
    'replica.applied{table=shop.dbo.Items}': 3,
    'replica.superseded{table=shop.dbo.Items}': 1,
    'replica.received{table=shop.dbo.Orders}': 3,
    'replica.applied{table=shop.dbo.Orders}': 2,
    'replica.unparsed_values{table=shop.dbo.Orders}': 1,
    'replica.unknown_columns{table=shop.dbo.Orders}': 1,
    'replica.dead_lettered{table=shop.dbo.Orders,reason=no-key}': 1,
    'replica.received{table=unknown}': 3,
    'replica.superseded{table=unknown}': 1,
    'replica.parked{table=unknown}': 1,
    'replica.dead_lettered{table=unknown,reason=unknown-format}': 1,
    'replica.request_charge': services.store.received.create + services.store.received.read,
    'replica.warnings{code=no-key}': 1,
    'replica.warnings{code=unparsed-values}': 1,
    'replica.warnings{code=unknown-columns}': 1,
  });
  assert.deepEqual(first.measured, {
    'replica.lag{table=shop.dbo.Items,partition=3}': [2.5],
    'replica.lag{table=shop.dbo.Orders,partition=3}': [2.5],
  });

  // The segment that completes the event; the one that waited was received before.
  const second = recorded(await replicate(hubMessages([w1], 50), services), COMMITTED);
  assert.deepEqual(second.sums, {
    'replica.received{table=shop.dbo.Items}': 1,
    'replica.applied{table=shop.dbo.Items}': 1,
    'replica.released{table=shop.dbo.Items}': 1,
    'replica.request_charge': 1,
  });
});

test('received is the sum of how messages end', async () => {
  const batch = [jsonMessage(insertEvent(1, 1)), Buffer.from('junk'), jsonMessage(insertEvent(1, 1))];
  const { tables, report } = await replicate(hubMessages(batch), testServices());
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  assert.equal(sum(tables.map(({ received }) => received)), report.messages);
  for (const { received, applied, superseded, parked, deadLettered } of tables)
    assert.equal(received, applied + superseded + parked + deadLettered);
});

test('lag is that of the oldest change applied, never negative, and none where nothing was applied', async () => {
  const services = testServices();
  const batch = hubMessages([
    jsonMessage(insertEvent(1, 1, { time: '2026-08-07T16:25:10.000Z' })),
    jsonMessage(insertEvent(2, 2, { time: '2026-08-07T16:25:04.000Z' })),
    jsonMessage(insertEvent(3, 3, { time: 'soon' })),
  ]);
  const now = Date.parse('2026-08-07T16:25:14.000Z');
  const outcome = await replicate(batch, services);
  assert.deepEqual(recorded(outcome, now).measured, {
    'replica.lag{table=shop.dbo.Items,partition=3}': [10],
  });
  assert.deepEqual(recorded(outcome, 0).measured, { 'replica.lag{table=shop.dbo.Items,partition=3}': [0] });
  assert.deepEqual(recorded(await replicate(batch, services), now).measured, {});
});
