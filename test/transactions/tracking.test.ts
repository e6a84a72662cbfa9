import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { MAX_CARRIED_STREAMS, MAX_PARTITION_STREAMS } from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import { lsnOf } from '../../src/transactions/commit.ts';
import type { Streams } from '../../src/transactions/partitionProgress.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { commitAt } from '../support/commitAt.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import type { TestEvent } from '../support/testEvent.ts';
import { batch, event, inGroup, moveAt, options, progressOf, tracked } from '../support/trackedServices.ts';

test('what is moved from transactions to partitions while both are read is seen', async () => {
  const { services, progress } = tracked();
  await replicate(batch(event(1, 1, 1)), services);
  let [left, calls] = [1, 0];
  const { carrying, execute } = progress;
  const before = async () => {
    calls += 1;
    if (calls !== 2 || left === 0) return;
    left = 0;
    const [report] = await moveAt(5_000 + options.idleMs, services);
    assert.equal(report?.ended, 1);
  };
  progress.carrying = async (most) => {
    await before();
    return carrying.call(progress, most);
  };
  progress.execute = async (operations) => {
    await before();
    return execute.call(progress, operations);
  };
  for (const _ of ['meanwhile', 'from then on']) {
    const [known] = await progressOf(services, 0);
    assert.deepEqual([left, known?.commit], [0, '0000:00000000000000000001']);
  }
  assert.equal(progress.items().filter(({ carries }) => carries === true).length, 0);
});

test('a transaction goes on carrying what it carries, whoever writes it', async () => {
  const { services } = tracked();
  const from = (partition: string, ...events: readonly TestEvent[]) =>
    replicate(
      hubMessages(
        events.map((one) => jsonMessage(one)),
        0,
        partition,
      ),
      services,
    );
  const commits = async () =>
    [await progressOf(services, 0), await progressOf(services, 1)].map(([one]) => one?.commit.slice(-1));
  await from('0', event(1, 2, 1));
  await from('1', event(2, 2, 2), event(3, 3, 1));
  assert.deepEqual(await commits(), ['2', '3']);
  await from('1', event(4, 2, 3));
  assert.deepEqual(await commits(), ['2', '3']);
});

test('what would be too much for one transaction to carry is written by itself', async () => {
  const { services, progress } = tracked();
  const told = (partition: string, count: number) => {
    const one = { db: 'shop', commit: commitAt(1), arrived: 1 };
    const names = Array.from({ length: count }, (_, n) => [`${partition}-${n}/shop`, one] as const);
    return [partition, new Map(names)] as const;
  };
  const record = async (number: number, told: ReadonlyMap<string, Streams>) => {
    const deadline = new Deadline(60);
    const lsn = lsnOf(commitAt(1));
    const change = { db: 'shop', lsn, epoch: 0, number, table: 'shop.dbo.T', time: null };
    const recording = { changes: [change], progress: told };
    await services.tracking.record(recording, deadline).finally(() => deadline.end());
  };
  const most = MAX_CARRIED_STREAMS / MAX_PARTITION_STREAMS;
  const many = Array.from({ length: most }, (_, n) => told(`p${n}`, MAX_PARTITION_STREAMS));
  await record(1, new Map(many));
  assert.equal(progress.writes, 1);
  await record(2, new Map([told('0', 1)]));
  assert.equal(progress.writes, 3);
  assert.notEqual(progress.item('partition-0'), undefined);
  const carried = JSON.stringify(progress.item('shop:00000000:00000000:0001')?.['_ces']);
  assert.deepEqual([carried.includes('"p0"'), carried.includes('"0"')], [true, false]);
});

test('a partition that HUB_PARTITIONS does not tell of is as far as a transaction that carries it', async () => {
  const { services } = tracked();
  await replicate(hubMessages([jsonMessage(event(1, 1, 1))], 0, '2'), services);
  assert.equal((await progressOf(services, 2))[0]?.commit, commitAt(1));
});

test('a transaction does not end as long as the watermark cannot be written: no watermark counted it', async () => {
  const { services, progress } = tracked();
  await replicate(batch(event(1, 1, 1)), services);
  progress.fault = ({ id, kind }) =>
    id === 'watermark' && kind !== 'read'
      ? { outcome: { kind: 'unknown', reason: 'down' }, done: false }
      : undefined;
  const run = async () => {
    const [report] = await moveAt(5_000 + options.idleMs, services);
    return [report?.ended, report?.lsn];
  };
  assert.deepEqual(await run(), [0, null]);
  assert.equal(progress.item('shop:00000000:00000000:0001')?.['status'], 'BEGIN');
  progress.fault = () => undefined;
  assert.deepEqual(await run(), [1, '00000000000000000001']);
});

test('a dead letter of a stream that nobody knows is told to its transaction once somebody does', async () => {
  const { services, progress } = tracked();
  const torn = jsonMessage(event(1, 1, 1), { data: '{"torn":' });
  const strays = () => progress.items().filter((item) => item['strays'] !== undefined).length;
  // What comes with it is carried by a transaction.
  const known = jsonMessage(inGroup(2, event(3, 1, 1, { db: 'bank' })));
  await replicate(hubMessages([torn, known], 0, '0'), services);
  assert.equal(strays(), 1);
  const other = { ...services, tracking: new Tracking(progress, options, () => 5_000) };
  await replicate(hubMessages([jsonMessage(event(2, 2, 1))], 0, '1'), other);
  const reports = await moveAt(5_000, services);
  assert.equal(reports.find(({ db }) => db === 'shop')?.open, 2);
  assert.deepEqual(progress.item('shop:00000000:00000000:0001')?.['dead_letters'], { 'invalid-json': 1 });
  assert.equal(strays(), 0);
});

test('a mark is taken away by a batch of copies, and by one that could not read it', async () => {
  for (const [position, faults] of [
    [1, 0],
    [2, 1],
  ] as const) {
    const { services, progress } = tracked();
    await replicate(batch(event(1, 1, 1)), services);
    services.store.gate = async () => {
      throw new OutageError('no answer');
    };
    await assert.rejects(replicate(batch(event(position, position, 1)), services), OutageError);
    services.store.gate = async () => {};
    assert.notEqual(progress.item('partition-0')?.['failing'], undefined);
    let left: number = faults;
    progress.fault = ({ id, kind }) => {
      if (id !== 'partition-0' || kind !== 'read' || left === 0) return undefined;
      left -= 1;
      return { outcome: { kind: 'throttled', retryAfterMs: 1 }, done: false };
    };
    await replicate(batch(event(position, position, 1)), services);
    const { failing, recovered } = { ...progress.item('partition-0') };
    assert.deepEqual([left, failing, recovered], [0, undefined, 5_000]);
  }
});
