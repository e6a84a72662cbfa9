import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import {
  MAX_EVENT_BYTES,
  MAX_OPEN_TRANSACTIONS,
  MAX_PARTITION_STREAMS,
  MISSED_RUNS_MS,
} from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import { sweep } from '../../src/sweep/sweep.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermarks } from '../../src/watermark/moveWatermarks.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { splitMessages } from '../support/splitMessages.ts';
import type { TestEvent } from '../support/testEvent.ts';
import { anotherInstance, type TestServices, testServices } from '../support/testServices.ts';
import { batch, event, inGroup, options, progressOf, tracked } from '../support/trackedServices.ts';

test('a batch costs a write for each transaction that learns something, and no other', async () => {
  const { services, progress } = tracked();
  await replicate(batch(event(1, 1, 1), event(2, 1, 2), event(3, 2, 1)), services);
  const queries = { open: 0, databases: 0, unsent: 0, carrying: 0 };
  assert.deepEqual({ ...progress.received }, { read: 3, create: 2, replace: 0, ...queries });
  await replicate(batch(event(4, 2, 2), event(5, 2, 3), event(6, 2, 4)), services);
  assert.deepEqual({ ...progress.received }, { read: 5, create: 2, replace: 1, ...queries });
});

test('copies cost one write, that of the partition', async () => {
  const { services, progress } = tracked();
  const messages = batch(event(1, 1, 1), event(2, 2, 1));
  await replicate(messages, services);
  const { writes } = progress;
  await replicate(messages, services);
  assert.equal(progress.writes, writes + 1);
});

test('tracking asks for nothing more of the rows, nor of what is parked', async () => {
  const off = testServices();
  const { services: on } = tracked();
  const messages = batch(event(1, 1, 1), event(2, 1, 2), event(1, 2, 1));
  for (const services of [off, on]) await replicate(messages, services);
  assert.deepEqual(on.store.received, off.store.received);
  assert.deepEqual(on.parking.calls, off.parking.calls);
});

test('changes count however they end', async () => {
  const { services, progress } = tracked();
  await replicate(
    batch(
      event(1, 1, 2),
      // Superseded by the one before.
      event(1, 1, 1),
      event(3, 1, 3, { pkkey: [] }),
    ),
    services,
  );
  const item = progress.item('shop:00000000:00000000:0001');
  const { carried: _, ...state } = { ...(item?.['_ces'] as Readonly<Record<string, unknown>>) };
  assert.deepEqual(state, {
    firstSeen: 5_000,
    time: '2026-08-07T16:25:00.890Z',
    handled: { 'shop.dbo.Items': '1-2' },
    dead: { 'no-key': { 'shop.dbo.Items': '3' } },
  });
  assert.deepEqual(item?.['dead_letters'], { 'no-key': 1 });
});

test('the partition is told with the last transaction: it must not be ahead of them', async () => {
  const { services, progress } = tracked();
  const order: string[] = [];
  progress.written = ({ id, carries }) => order.push(carries === true ? `${id} carries` : id);
  await replicate(batch(event(1, 1, 1), event(2, 2, 1)), services);
  assert.deepEqual(order, ['00000000:00000000:0001', '00000000:00000000:0002 carries']);
  assert.deepEqual(await progressOf(services, 0), [
    { db: 'shop', commit: '0000:00000000000000000002', arrived: 5_000 },
  ]);
});

test('a transaction that is told of by copies only carries nothing', async () => {
  const { services, progress } = tracked();
  const messages = batch(event(1, 1, 1), event(2, 2, 1));
  await replicate(messages, { ...services, tracking: new Tracking(progress, options, () => 1) });
  await replicate(messages, services);
  const { streams } = progress.item('partition-0') as unknown as { streams: Record<string, object> };
  assert.deepEqual(Object.values(streams), [
    { db: 'shop', commit: '0000:00000000000000000002', arrived: 5_000 },
  ]);
});

test('what an ended transaction carried is kept: a partition seemed to have gone back', async () => {
  const { services, progress } = tracked();
  const from = (partition: string, ...positions: readonly number[]) =>
    replicate(
      hubMessages(
        positions.map((position) => jsonMessage(event(position, position, Number(partition) + 1))),
        0,
        partition,
      ),
      services,
    );
  await from('0', 1, 5);
  await from('1', 1, 6);
  const open = progress.open.bind(progress);
  progress.open = async (db, most) => {
    progress.open = open;
    // Between the look at the partitions and that at the transactions.
    await from('0', 7);
    await replicate(hubMessages([jsonMessage(event(7, 1, 9))], 1, '0'), services);
    return open(db, most);
  };
  const deadline = new Deadline(60);
  const [report] = await moveWatermarks(services, deadline, 0);
  deadline.end();
  assert.deepEqual([report?.ended, report?.open], [1, 3]);
  const ended = progress.item('shop:00000000:00000000:0001');
  assert.deepEqual([ended?.['status'], ended?.['carries']], ['END', undefined]);
  assert.equal(JSON.stringify(ended).includes('carried'), false);
  assert.deepEqual(
    [await progressOf(services, 0), await progressOf(services, 1)].map(([one]) => one?.commit),
    ['0000:00000000000000000007', '0000:00000000000000000006'],
  );
});

test('a transaction does not end as long as what it carries cannot be kept', async () => {
  const { services, progress } = tracked();
  for (const partition of ['0', '1'])
    await replicate(
      hubMessages([jsonMessage(event(1, 1, 1)), jsonMessage(event(1, 2, 1))], 0, partition),
      services,
    );
  await replicate(hubMessages([jsonMessage(event(1, 1, 2))], 2, '0'), services);
  progress.fault = ({ id, kind }) =>
    id.startsWith('partition-') && kind !== 'read'
      ? { outcome: { kind: 'unknown', reason: 'down' }, done: false }
      : undefined;
  const deadline = new Deadline(0.2);
  await assert.rejects(moveWatermarks(services, deadline, 0), OutageError);
  deadline.end();
  assert.equal(progress.item('shop:00000000:00000000:0001')?.['carries'], true);
});

test('an event is recorded before its parked segments are removed', async () => {
  const { services, progress } = tracked();
  const [first, second] = splitMessages(event(1, 1, 1), { form: 'text', base: 0, cuts: [300] });
  assert.ok(first && second);
  await replicate(hubMessages([first]), services);
  const recorded: boolean[] = [];
  services.parking.before = async ({ name }) => {
    if (name === 'remove') recorded.push(progress.item('shop:00000000:00000000:0001') !== undefined);
  };
  await replicate(hubMessages([second], 1), services);
  assert.deepEqual(recorded, [true]);
});

test('an event that the sweep finishes is recorded, and so is one that it gives up', async () => {
  const { services, progress } = tracked();
  const [first, second] = splitMessages(event(1, 1, 1), { form: 'text', base: 0, cuts: [700] });
  const [lonely] = splitMessages(event(2, 2, 1), { form: 'text', base: 0, cuts: [700] });
  assert.ok(first && second && lonely);
  await replicate(batch(event(9, 9, 1)), services);
  await replicate(hubMessages([first, lonely], 1), services);
  // An instance that parked the other segment and died.
  const { tracking: _, ...untracked } = services;
  services.parking.before = async ({ name }) => {
    if (name === 'list') throw new OutageError('dies');
  };
  await assert.rejects(replicate(hubMessages([second], 2), untracked));
  services.parking.before = async () => {};
  await sweep(
    { ...anotherInstance(services), tracking: services.tracking },
    new Date('2026-08-09T00:00:00Z'),
  );
  assert.ok(progress.item('shop:00000000:00000000:0001') !== undefined);
  assert.deepEqual(progress.item('shop:00000000:00000000:0002')?.['dead_letters'], { 'segments-missing': 1 });
});

test('an event that the sweep finishes tells nothing of its partition: a batch before it seemed handled', async () => {
  const { services, progress } = tracked();
  const [first, second] = splitMessages(event(5, 5, 1), { form: 'text', base: 0, cuts: [700] });
  assert.ok(first && second);
  for (const position of [1, 9])
    await replicate(hubMessages([jsonMessage(event(position, position, 1))], position, '1'), services);
  // What is parked of the event is durable, and what comes before it in partition 0 is not.
  services.store.gate = async () => {
    throw new OutageError('no answer');
  };
  const waiting = hubMessages([jsonMessage(event(2, 1, 2)), first], 0, '0');
  await assert.rejects(replicate(waiting, services), OutageError);
  await assert.rejects(replicate(hubMessages([second], 2, '1'), services), OutageError);
  services.store.gate = async () => {};
  const swept = await sweep({ ...anotherInstance(services), tracking: services.tracking });
  assert.equal(swept.report.applied, 1);
  const deadline = new Deadline(60);
  const [report] = await moveWatermarks(services, deadline, 0);
  deadline.end();
  assert.deepEqual([report?.ended, report?.lsn], [0, null]);
  assert.notEqual(progress.item('partition-0')?.['failing'], undefined);
});

test('a partition that HUB_PARTITIONS does not tell of is noted before it is recorded, and waited for', async () => {
  const { services, progress } = tracked();
  const order: string[] = [];
  progress.written = ({ id }) => order.push(id);
  const from = (partition: string, position: number) =>
    replicate(hubMessages([jsonMessage(event(position, position, 1))], position, partition), services);
  await from('5', 1);
  await from('5', 2);
  assert.deepEqual(order, ['partition-elsewhere', '00000000:00000000:0001', '00000000:00000000:0002']);
  for (const partition of ['0', '1']) await from(partition, 9);
  const deadline = new Deadline(60);
  const [report] = await moveWatermarks(services, deadline, 0);
  deadline.end();
  // Partitions 2 to 4 may hold anything, for all that is known.
  assert.deepEqual([report?.ended, report?.open], [0, 3]);
});

test('a batch that fails is marked in a partition that HUB_PARTITIONS does not tell of: nobody saw the mark', async () => {
  const { services } = tracked();
  for (const partition of ['0', '1'])
    await replicate(
      hubMessages([jsonMessage(event(1, 1, 1)), jsonMessage(event(9, 9, 1))], 0, partition),
      services,
    );
  services.store.gate = async () => {
    throw new OutageError('no answer');
  };
  await assert.rejects(replicate(hubMessages([jsonMessage(event(2, 1, 2))], 0, '2'), services), OutageError);
  const later = new Tracking(services.tracking.store, options, () => 5_000 + options.idleMs);
  const deadline = new Deadline(60);
  const [report] = await moveWatermarks({ ...services, tracking: later }, deadline, 0);
  deadline.end();
  assert.deepEqual([report?.ended, report?.lsn], [0, null]);
});

test('what waited behind a batch that failed comes after it: its transactions seemed to be over', async () => {
  const progress = new MemoryProgress();
  const base = testServices();
  const at = (now: number) => ({ ...base, tracking: new Tracking(progress, options, () => now) });
  const from = (partition: string, now: number, ...events: readonly TestEvent[]) =>
    replicate(
      hubMessages(
        events.map((one) => jsonMessage(one)),
        0,
        partition,
      ),
      at(now),
    );
  const bank = (position: number) => inGroup(2, event(50 + position, position, 1, { db: 'bank' }));
  const endedAt = async (now: number) => {
    const deadline = new Deadline(60);
    const reports = await moveWatermarks(at(now), deadline, 0);
    deadline.end();
    return reports.find(({ db }) => db === 'shop')?.ended;
  };
  await from('0', 0, event(1, 1, 1), bank(1));
  await from('1', 0, event(1, 2, 1), event(9, 9, 1));
  base.store.gate = async () => {
    throw new OutageError('no answer');
  };
  const last = 3 * options.idleMs;
  await assert.rejects(from('0', last, bank(2)), OutageError);
  base.store.gate = async () => {};
  // A change of transaction 2 waits behind it.
  for (const copies of [[bank(2)], [bank(2), bank(1)]]) {
    await from('0', last, ...copies);
    assert.deepEqual(await endedAt(last + options.idleMs - 1), 0);
  }
  assert.equal(await endedAt(last + options.idleMs), 3);
});

test('an outage of Cosmos DB is no silence: what waited in the hub came after the end of its transactions', async () => {
  let now = 0;
  const progress = new MemoryProgress();
  const services = { ...testServices(), tracking: new Tracking(progress, options, () => now) };
  const runAt = async (time: number) => {
    now = time;
    const deadline = new Deadline(60);
    const run = moveWatermarks(services, deadline, 0);
    const [report] = await run.finally(() => deadline.end());
    return report?.ended;
  };
  await replicate(batch(event(1, 1, 1)), services);
  assert.equal(await runAt(options.idleMs - 1), 0);
  progress.fault = () => ({ outcome: { kind: 'unknown', reason: 'down' }, done: false });
  await assert.rejects(runAt(MISSED_RUNS_MS / 2), OutageError);
  progress.fault = () => undefined;
  // Its batches come again now, as the run does.
  const over = options.idleMs + MISSED_RUNS_MS;
  assert.equal(await runAt(over), 0);
  assert.equal(await runAt(over + options.idleMs - 1), 0);
  assert.equal(await runAt(over + options.idleMs), 1);
});

test('transactions of databases whose streams are forgotten end: nobody looked at them any more', async () => {
  const { services, progress } = tracked();
  const count = MAX_PARTITION_STREAMS + 20;
  for (let n = 0; n < count; n += 1) {
    await replicate(batch(inGroup(n, event(1, 1, 1, { db: `db${n}` }))), services);
  }
  const later = new Tracking(progress, options, () => 5_000 + options.idleMs);
  const deadline = new Deadline(60);
  const reports = await moveWatermarks({ ...services, tracking: later }, deadline, 0);
  deadline.end();
  assert.deepEqual(
    [reports.length, reports.every(({ ended, open }) => ended === 1 && open === 0)],
    [count, true],
  );
  assert.equal(progress.item('db0:watermark')?.['lsn'], '00000000000000000001');
});

test('a database of which the sweep alone has seen an event has a watermark: it was waited for for ever', async () => {
  const { services, progress } = tracked();
  const [lonely] = splitMessages(event(1, 1, 1), { form: 'text', base: 0, cuts: [700] });
  assert.ok(lonely);
  await replicate(hubMessages([lonely]), services);
  await sweep(
    { ...anotherInstance(services), tracking: services.tracking },
    new Date('2026-08-09T00:00:00Z'),
  );
  assert.deepEqual(progress.item('shop:00000000:00000000:0001')?.['dead_letters'], { 'segments-missing': 1 });
  const later = new Tracking(progress, options, () => 5_000 + options.idleMs);
  const deadline = new Deadline(60);
  await moveWatermarks({ ...services, tracking: later }, deadline, 0);
  deadline.end();
  assert.equal(progress.item('shop:watermark')?.['lsn'], '00000000000000000001');
});

test('an event too large to be put together is recorded before it is removed: the watermark did not tell of it', async () => {
  const { services, progress } = tracked();
  const [first, second] = splitMessages(event(2, 2, 1), { form: 'text', base: 0, cuts: [700] });
  assert.ok(first && second);
  await replicate(batch(event(1, 1, 1)), services);
  services.parking.bytesOf = () => MAX_EVENT_BYTES;
  await replicate(hubMessages([first], 1), services);
  await replicate(hubMessages([second], 2), services);
  const recorded: unknown[] = [];
  services.parking.before = async ({ name }) => {
    if (name === 'remove') recorded.push(progress.item('shop:00000000:00000000:0002')?.['dead_letters']);
  };
  await sweep({ ...anotherInstance(services), tracking: services.tracking });
  assert.deepEqual(recorded, [{ 'event-too-large': 1 }]);
});

test('a parked event of a stream group that two databases share holds back both', async () => {
  const { services } = tracked();
  const [first] = splitMessages(event(2, 2, 1), { form: 'text', base: 0, cuts: [700] });
  assert.ok(first);
  for (const partition of ['0', '1']) {
    for (const db of ['shop', 'copy']) {
      const events = [1, 3, 4].map((position) => jsonMessage(event(position, position, 1, { db })));
      await replicate(hubMessages(events, 0, partition), services);
    }
  }
  await replicate(hubMessages([first], 9), services);
  const deadline = new Deadline(60);
  const reports = await moveWatermarks(services, deadline, 0);
  deadline.end();
  assert.deepEqual(
    reports.map(({ db, lsn }) => [db, lsn]).sort(),
    ['copy', 'shop'].map((db) => [db, '00000000000000000001']),
  );
});

test('a run ends more transactions than it looks at together: a busy database has more of them', async () => {
  const { services, progress } = tracked();
  const count = 2 * MAX_OPEN_TRANSACTIONS + 1;
  const open = progress.open.bind(progress);
  // Each would be a database's request; here only how many are looked at together counts.
  const at = (position: number) => event(1, position, 2);
  for (const partition of ['0', '1']) {
    const events =
      partition === '1' ? [at(count + 1)] : Array.from({ length: count + 1 }, (_, n) => at(n + 1));
    await replicate(
      hubMessages(
        events.map((one) => jsonMessage(one)),
        0,
        partition,
      ),
      services,
    );
  }
  const looks: number[] = [];
  progress.open = async (db, most) => {
    const found = await open(db, most);
    looks.push(found.length);
    return found;
  };
  const deadline = new Deadline(60);
  const [report] = await moveWatermarks(services, deadline, 0);
  deadline.end();
  assert.deepEqual(looks, [MAX_OPEN_TRANSACTIONS, MAX_OPEN_TRANSACTIONS, 2]);
  assert.deepEqual(
    [report?.ended, report?.open, report?.missing, report?.gaps.length],
    [count, 1, count, 20],
  );
  assert.equal(report?.lsn, count.toString(16).toUpperCase().padStart(20, '0'));
});

test('a watermark that cannot be read fails the run: it was reported as one that is nowhere', async () => {
  const { services, progress } = tracked();
  await replicate(batch(event(1, 1, 1)), services);
  progress.fault = ({ id }) =>
    id === 'watermark' ? { outcome: { kind: 'throttled', retryAfterMs: 1 }, done: false } : undefined;
  const deadline = new Deadline(60);
  await assert.rejects(moveWatermarks(services, deadline, 0), /the watermark could not be read/);
  deadline.end();
});

describe('a batch that fails', () => {
  const fail = async (services: TestServices & { tracking: Tracking }, ...events: readonly TestEvent[]) => {
    services.store.gate = async () => {
      throw new OutageError('no answer');
    };
    await assert.rejects(replicate(batch(...events), services), OutageError);
    services.store.gate = async () => {};
  };
  const markOf = async ({ tracking }: { readonly tracking: Tracking }) =>
    (await tracking.partitions.read(new AbortController().signal))[0]?.failing;

  test('leaves a mark on its partition, which the next that goes well takes away', async () => {
    const { services } = tracked();
    await replicate(batch(event(1, 1, 1)), services);
    const events = [event(3, 3, 1), event(2, 2, 1)];
    await fail(services, ...events);
    const { id, ...mark } = (await markOf(services)) ?? {};
    assert.match(id ?? '', /-/);
    assert.deepEqual(mark, { at: 5_000, holds: [{ db: 'shop', commit: '0000:00000000000000000002' }] });
    await replicate(batch(...events), services);
    assert.equal(await markOf(services), undefined);
  });

  test('leaves another mark where the one before was taken away: it counted as that one', async () => {
    const { services, progress } = tracked();
    await replicate(batch(event(1, 1, 1)), services);
    await fail(services, event(2, 2, 1));
    await replicate(batch(event(2, 2, 1)), services);
    // Carried by a transaction: the mark is still where it was.
    assert.notEqual(progress.item('partition-0')?.['failing'], undefined);
    await fail(services, event(3, 3, 1));
    assert.equal((await markOf(services))?.holds[0]?.commit, '0000:00000000000000000003');
    await replicate(batch(event(3, 3, 1)), services);
    assert.equal(await markOf(services), undefined);
  });

  test('keeps its mark when letters of its partition are replayed, which tell nothing of the partition', async () => {
    const { services, progress } = tracked();
    await replicate(batch(event(1, 1, 1)), services);
    services.store.gate = async () => {
      throw new OutageError('no answer');
    };
    await assert.rejects(replicate(batch(event(2, 2, 1)), services), OutageError);
    const before = progress.item('partition-0');
    const replay = { createMissing: true, replayed: true };
    await assert.rejects(replicate(batch(event(3, 9, 1)), services, replay), OutageError);
    services.store.gate = async () => {};
    await replicate(batch(event(3, 9, 1)), services, replay);
    assert.notEqual(before?.['failing'], undefined);
    assert.deepEqual(progress.item('partition-0'), before);
    assert.notEqual(progress.item('shop:00000000:00000000:0009'), undefined);
  });

  test('fails when its progress cannot be recorded: it must come again', async () => {
    const { services, progress } = tracked(new MemoryProgress(), testServices());
    const settings = { ...services.settings, batchDeadlineSeconds: 0.2 };
    progress.fault = () => ({ outcome: { kind: 'unknown', reason: 'down' }, done: false });
    await assert.rejects(replicate(batch(event(1, 1, 1)), { ...services, settings }), OutageError);
  });
});
