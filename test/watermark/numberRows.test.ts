import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutageError } from '../../src/errors/outageError.ts';
import { MAX_UNNUMBERED_TRANSACTIONS, NUMBERED_CHANGES } from '../../src/limits.ts';
import type { Lsn } from '../../src/model/lsn.ts';
import { changeSequence } from '../../src/model/position.ts';
import { padSequenceNumber } from '../../src/model/sequenceNumber.ts';
import type { Table } from '../../src/model/table.ts';
import { type Version, versionOf } from '../../src/model/version.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { RowFinder } from '../../src/replica/rowFinder.ts';
import { stampOf } from '../../src/replica/stamp.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermark } from '../../src/watermark/moveWatermark.ts';
import { numberRows } from '../../src/watermark/numberRows.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { MemoryRowFinder } from '../support/memoryRowFinder.ts';
import { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';

const options = { partitions: 1, idleMs: 1000, withOrder: true, ttlSeconds: 60 };
const ENDED_MS = 2000;
const LSN = '0000002500000D080025' as Lsn;

const orders: Table = { db: 'shop', schema: 'dbo', name: 'Orders' };
const lines: Table = { ...orders, name: 'Lines' };

/** A replica with one transaction, of the same LSN in every database and epoch. */
class World {
  readonly store = new MemoryStore();
  readonly progress = new MemoryProgress();
  readonly #finder = new MemoryRowFinder(this.store);
  #tracking = new Tracking(this.progress, options, () => 1000);

  /** A row whose newest change has the number; the version unless it is the one of CES. */
  row(table: Table, key: number, number: number, epoch = 0, version?: Version, lsn = LSN): void {
    const stamp = stampOf(version ?? versionOf(epoch, lsn, padSequenceNumber(String(number))), false);
    const newest = { stamp, operation: 'INS', time: null, key: { id: key } } as const;
    const id = documentId(table, [String(key)]);
    this.store.put(id, toReplicaItem(id, table, { image: stamp, cells: new Map(), newest }, 60));
  }

  async tell(table: Table, numbers: readonly number[], epoch = 0, lsn = LSN): Promise<void> {
    const changes = numbers.map((number) => ({
      ...{ db: table.db, epoch, lsn, number, time: null },
      table: `${table.db}.${table.schema}.${table.name}`,
    }));
    await this.#tracking.record({ changes }, new PatientDeadline());
  }

  async end(db = 'shop', now = ENDED_MS): Promise<void> {
    const open = await this.progress.open(db, 1000);
    const holds = { commits: [], oldest: undefined };
    const deadline = new PatientDeadline();
    await moveWatermark({ db, open, judge: () => 'position', holds, now }, this.#tracking, deadline);
  }

  async number(before = ENDED_MS + 1, finder: RowFinder = this.#finder, databases = ['shop']) {
    const { store } = this;
    const replica = { store, finder, tracking: this.#tracking, settings: { tombstoneSeconds: 60 } };
    return numberRows(replica, databases, before, new PatientDeadline());
  }

  /** From now on boundaries are sent. */
  sendBoundaries(): void {
    this.#tracking = new Tracking(this.progress, { ...options, sendsBoundaries: true }, () => 1000);
  }

  /** No write of the row is answered, nor done. */
  refuse(table: Table, key: number): void {
    const stubborn = documentId(table, [String(key)]);
    const { fault } = this.store;
    this.store.fault = (operation) =>
      operation.kind === 'replace' && operation.id === stubborn
        ? { outcome: { kind: 'unknown', reason: 'test' }, done: false }
        : fault(operation);
  }

  get finder(): RowFinder {
    return this.#finder;
  }

  orderOf(table: Table, key: number): number | undefined {
    return this.store.item(documentId(table, [String(key)]))?._ces.transaction?.data_collection_order;
  }

  marks(): readonly unknown[] {
    return this.progress
      .items()
      .filter(({ id }) => id !== 'watermark')
      .map(({ unnumbered }) => unnumbered);
  }
}

test('each row tells the place of its newest change among those of its table', async () => {
  const world = new World();
  for (const number of [1, 4, 5]) world.row(orders, number, number);
  for (const number of [2, 3]) world.row(lines, number, number);
  await world.tell(orders, [1, 4, 5]);
  await world.tell(lines, [2, 3]);
  await world.end();
  assert.deepEqual(world.marks(), [true]);
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 5, transactions: 1 }]);
  assert.deepEqual(
    [1, 4, 5].map((key) => world.orderOf(orders, key)),
    [1, 2, 3],
  );
  assert.deepEqual(
    [2, 3].map((key) => world.orderOf(lines, key)),
    [1, 2],
  );
  assert.deepEqual(world.marks(), [undefined]);
  const { writes } = world.store;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 0, transactions: 0 }]);
  assert.equal(world.store.writes, writes);
});

test('a run leaves alone what ended in itself: its reads may not see all rows yet', async () => {
  const world = new World();
  world.row(orders, 1, 1);
  await world.tell(orders, [1]);
  await world.end();
  await world.number(ENDED_MS);
  assert.deepEqual([world.orderOf(orders, 1), world.marks()], [undefined, [true]]);
});

test('equal LSNs of another database, another epoch, and what Debezium told are other transactions or have theirs', async () => {
  const world = new World();
  const bank = { ...orders, db: 'bank' };
  const told = versionOf(0, LSN, changeSequence('00000000000000000002' as Lsn, 1));
  for (const [key, number] of [9, 2].entries()) world.row(orders, key, number);
  world.row(bank, 0, 2);
  world.row(orders, 5, 2, 1);
  world.row(orders, 6, 2, 0, told);
  await world.tell(orders, [2, 9]);
  await world.tell(bank, [1, 2]);
  await world.tell(orders, [1, 2], 1);
  await world.end('bank');
  const open = world.progress.items().filter(({ db }) => db === 'shop').length;
  assert.equal(open, 2);
  await world.end();
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 3, transactions: 2 }]);
  assert.deepEqual(
    [0, 1, 5, 6].map((key) => world.orderOf(orders, key)),
    [2, 1, 2, undefined],
  );
  assert.equal(world.orderOf(bank, 0), undefined);
});

test('what comes late corrects the rows after it', async () => {
  const world = new World();
  world.row(orders, 3, 3);
  await world.tell(orders, [3]);
  await world.end();
  await world.number();
  assert.equal(world.orderOf(orders, 3), 1);
  world.row(orders, 1, 1);
  await world.tell(orders, [1]);
  assert.deepEqual(world.marks(), [undefined]);
  await world.number();
  await world.end();
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 2, transactions: 1 }]);
  assert.deepEqual([world.orderOf(orders, 1), world.orderOf(orders, 3)], [1, 2]);
});

test('a transaction that begins again meanwhile is numbered anew when it ends', async () => {
  const world = new World();
  world.row(orders, 3, 3);
  await world.tell(orders, [3]);
  await world.end();
  const { finder } = world;
  const meanwhile: RowFinder = {
    containers: finder.containers,
    find: async function* (...query) {
      yield* finder.find(...query);
      world.row(orders, 1, 1);
      await world.tell(orders, [1]);
      await world.end();
    },
  };
  assert.deepEqual(await world.number(ENDED_MS + 1, meanwhile), [{ db: 'shop', rows: 1, transactions: 0 }]);
  assert.deepEqual(world.marks(), [true]);
  await world.number();
  assert.deepEqual([world.orderOf(orders, 1), world.orderOf(orders, 3)], [1, 2]);
});

test('rows that cannot be written now are left to the next run, which goes on from there', async () => {
  const world = new World();
  const numbers = [1, NUMBERED_CHANGES + 1, 2 * NUMBERED_CHANGES + 1];
  for (const number of numbers) world.row(orders, number, number);
  await world.tell(orders, numbers);
  await world.end();
  const stubborn = documentId(orders, [String(numbers[1])]);
  world.store.fault = ({ kind, id }) =>
    kind === 'replace' && id === stubborn
      ? { outcome: { kind: 'unknown', reason: 'test' }, done: false }
      : undefined;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 0 }]);
  const [item] = world.progress.items().filter(({ id }) => id !== 'watermark');
  assert.ok(item !== undefined);
  const { unnumberedFrom } = item['_ces'] as { readonly unnumberedFrom: number };
  assert.deepEqual([item['unnumbered'], unnumberedFrom], [true, NUMBERED_CHANGES + 1]);
  world.store.fault = () => undefined;
  const { received } = world.store;
  const reads = received.read;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 2, transactions: 1 }]);
  assert.equal(received.read, reads + 2);
  assert.deepEqual(
    numbers.map((number) => world.orderOf(orders, number)),
    [1, 2, 3],
  );
});

test('a row that nobody will ever write is given up: the mark would have stayed for ever', async () => {
  const world = new World();
  for (const number of [1, 2]) world.row(orders, number, number);
  await world.tell(orders, [1, 2]);
  await world.end();
  const refused = documentId(orders, ['1']);
  world.store.fault = ({ kind, id }) =>
    kind === 'replace' && id === refused
      ? { outcome: { kind: 'refused', reason: 'status 413' }, done: false }
      : undefined;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 1 }]);
  assert.deepEqual(world.marks(), [undefined]);
});

test('a transaction is not done before its very last row is', async () => {
  const world = new World();
  const numbers = [1, NUMBERED_CHANGES + 1];
  for (const number of numbers) world.row(orders, number, number);
  await world.tell(orders, numbers);
  await world.end();
  world.refuse(orders, NUMBERED_CHANGES + 1);
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 0 }]);
  assert.deepEqual(world.marks(), [true]);
});

test('a change that comes between two portions of a transaction moves the rows of both', async () => {
  const world = new World();
  const numbers = [2, NUMBERED_CHANGES + 5];
  for (const number of numbers) world.row(orders, number, number);
  await world.tell(orders, numbers);
  await world.end();
  const { finder } = world;
  let searches = 0;
  const meanwhile: RowFinder = {
    containers: finder.containers,
    find: async function* (...query) {
      yield* finder.find(...query);
      searches += 1;
      if (searches > 1) return;
      world.row(orders, 1, 1);
      await world.tell(orders, [1]);
    },
  };
  await world.number(ENDED_MS + 1, meanwhile);
  await world.end();
  await world.number();
  assert.equal(searches, 2);
  assert.deepEqual(
    [1, ...numbers].map((key) => world.orderOf(orders, key)),
    [1, 2, 3],
  );
  assert.deepEqual(world.marks(), [undefined]);
});

test('rows that have their place are not read when a change of another table comes late', async () => {
  const world = new World();
  for (const number of [1, 2]) world.row(orders, number, number);
  await world.tell(orders, [1, 2]);
  await world.end();
  await world.number();
  world.row(lines, 3, 3);
  await world.tell(lines, [3]);
  await world.end();
  const reads = world.store.received.read;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 1 }]);
  assert.equal(world.store.received.read, reads + 1);
});

const lsnOf = (n: number) => n.toString(16).toUpperCase().padStart(20, '0') as Lsn;

test('a row that cannot be written keeps the mark of its own transaction only', async () => {
  const world = new World();
  for (const n of [1, 2, 3]) {
    world.row(orders, n, 1, 0, undefined, lsnOf(n));
    await world.tell(orders, [1], 0, lsnOf(n));
  }
  await world.end();
  world.refuse(orders, 2);
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 2, transactions: 2 }]);
  assert.deepEqual(world.marks(), [undefined, true, undefined]);
});

// They were the only ones that were asked for, in every run.
test('transactions that can never be done do not keep those after them waiting', async () => {
  const world = new World();
  for (let n = 1; n <= MAX_UNNUMBERED_TRANSACTIONS + 1; n += 1) {
    world.row(orders, n, 1, 0, undefined, lsnOf(n));
    await world.tell(orders, [1], 0, lsnOf(n));
  }
  await world.end();
  const last = documentId(orders, [String(MAX_UNNUMBERED_TRANSACTIONS + 1)]);
  world.store.fault = ({ kind, id }) =>
    kind === 'replace' && id !== last
      ? { outcome: { kind: 'unknown', reason: 'test' }, done: false }
      : undefined;
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 1 }]);
});

test('a database whose rows cannot be found is told, and does not keep others waiting', async () => {
  const world = new World();
  const bank = { ...orders, db: 'bank' };
  for (const table of [orders, bank]) {
    world.row(table, 1, 1);
    await world.tell(table, [1]);
    await world.end(table.db);
  }
  const failure = new OutageError('test');
  const finder: RowFinder = {
    containers: world.finder.containers,
    find: (container, db, ...query) => {
      if (db === 'bank') throw failure;
      return world.finder.find(container, db, ...query);
    },
  };
  assert.deepEqual(await world.number(ENDED_MS + 1, finder, ['bank', 'shop']), [
    { db: 'bank', rows: 0, transactions: 0, failure },
    { db: 'shop', rows: 1, transactions: 1 },
  ]);
});

test('rows are looked for in every container, and written where they are', async () => {
  const world = new World();
  for (const key of [1, 2]) world.row(orders, key, key);
  await world.tell(orders, [1, 2]);
  await world.end();
  const inOther = documentId(orders, ['2']);
  const written: unknown[] = [];
  world.store.fault = ({ kind, id, container }) => {
    if (kind === 'replace') written.push([id, container]);
    return undefined;
  };
  const finder: RowFinder = {
    containers: [undefined, 'other'],
    async *find(container, ...query) {
      for await (const rows of world.finder.find(container, ...query))
        yield rows.filter(({ id }) => (id === inOther) === (container === 'other'));
    },
  };
  assert.deepEqual(await world.number(ENDED_MS + 1, finder), [{ db: 'shop', rows: 2, transactions: 1 }]);
  assert.deepEqual(written, [
    [documentId(orders, ['1']), undefined],
    [inOther, 'other'],
  ]);
});

// Its item is written again when its rows are numbered: a BEGIN was sent that no END followed.
test('a transaction that ended before boundaries were sent is not told of because its rows are numbered', async () => {
  const world = new World();
  world.row(orders, 1, 1);
  await world.tell(orders, [1]);
  await world.end();
  world.sendBoundaries();
  assert.deepEqual(await world.number(), [{ db: 'shop', rows: 1, transactions: 1 }]);
  assert.deepEqual(await world.progress.unsent('shop', 10), []);
});
