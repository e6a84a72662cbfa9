import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ITEM_BYTES, MAX_TRANSACTION_CELLS } from '../../src/limits.ts';
import { parseLsn } from '../../src/model/lsn.ts';
import { commitOf } from '../../src/transactions/commit.ts';
import { SequenceSet } from '../../src/transactions/sequenceSet.ts';
import { groupChanges, type TrackedChange, withChanges } from '../../src/transactions/trackedChange.ts';
import {
  fromTransactionItem,
  type TrackedTransaction,
  toTransactionItem,
  transactionKey,
} from '../../src/transactions/transactionItem.ts';
import { joinStates } from '../../src/transactions/transactionState.ts';

const lsn = parseLsn('00000025:00000d08:0025');
assert.ok(lsn !== undefined);
const options = { withOrder: false, ttlSeconds: 60 };

function change(number: number | undefined, table: string, more: Partial<TrackedChange> = {}): TrackedChange {
  assert.ok(lsn !== undefined);
  return { db: 'testDB', epoch: 0, lsn, number, table: `testDB.dbo.${table}`, time: null, ...more };
}

function tracked(...changes: readonly TrackedChange[]): TrackedTransaction {
  const [delta] = groupChanges(changes, 1000);
  assert.ok(delta !== undefined);
  const made = withChanges(undefined, delta);
  assert.ok(made !== undefined);
  return made;
}

const end = { by: 'position', at: 2000 } as const;

/** The fields of Debezium's messages. */
function boundary(item: ReturnType<typeof toTransactionItem>): object {
  const { status, id, event_count, data_collections } = item;
  return { status, id, event_count, data_collections };
}

test('the items have the fields of the boundary messages that Debezium documents', () => {
  const transaction = tracked(change(1, 'tablea'), change(2, 'tableb'));
  assert.deepEqual(boundary(toTransactionItem(transaction, options)), {
    status: 'BEGIN',
    id: '00000025:00000d08:0025',
    event_count: null,
    data_collections: null,
  });
  assert.deepEqual(boundary(toTransactionItem({ ...transaction, end }, options)), {
    status: 'END',
    id: '00000025:00000d08:0025',
    event_count: 2,
    data_collections: [
      { data_collection: 'testDB.dbo.tablea', event_count: 1 },
      { data_collection: 'testDB.dbo.tableb', event_count: 1 },
    ],
  });
});

test('an ended transaction whose rows are to be numbered is marked, and stays until they are', () => {
  const transaction = { ...tracked(change(1, 'a')), end };
  const marks = (one: TrackedTransaction) => {
    const { unnumbered, ttl, _ces } = toTransactionItem(one, options);
    return [unnumbered, ttl, _ces.unnumberedFrom];
  };
  assert.deepEqual(marks(transaction), [undefined, 60, undefined]);
  assert.deepEqual(marks({ ...transaction, unnumberedFrom: 0 }), [true, undefined, undefined]);
  assert.deepEqual(marks({ ...transaction, unnumberedFrom: 7 }), [true, undefined, 7]);
  // It begins again, and its rows are numbered anew when it ends.
  assert.deepEqual(marks({ ...transaction, unnumberedFrom: 7, end: undefined }), [
    undefined,
    undefined,
    undefined,
  ]);
  const untracked = tracked(change(undefined, 'a'));
  assert.deepEqual(marks({ ...untracked, unnumberedFrom: 0, end }), [undefined, 60, undefined]);
});

test('an item is read back, at its beginning and at its end', () => {
  const dead = change(5, 'tablea', { reason: 'no-key', time: '2026-08-07T16:25:00Z' });
  const transaction = tracked(change(1, 'tablea'), change(3, 'tableb'), dead);
  for (const one of [
    transaction,
    { ...transaction, end, late: 2, reported: { missing: 2, late: 1 } },
    { ...transaction, end, unnumberedFrom: 0 },
    { ...transaction, end, unnumberedFrom: 3 },
  ]) {
    const stored: unknown = JSON.parse(JSON.stringify(toTransactionItem(one, options)));
    assert.deepEqual(fromTransactionItem(stored), one);
  }
  for (const foreign of [undefined, {}, { id: 'x', commit: 'y', _ces: {} }])
    assert.equal(fromTransactionItem(foreign), undefined);
});

test('an ended item says what is missing, goes after its time, and stays while dead letters are left', () => {
  const ended = toTransactionItem({ ...tracked(change(1, 'a'), change(4, 'a')), end }, options);
  assert.deepEqual([ended.missing, ended.missing_count, ended.ttl], ['2-3', 2, 60]);
  const lacking = tracked(change(1, 'a'), change(2, 'a', { reason: 'no-key' }));
  const item = toTransactionItem({ ...lacking, end }, options);
  assert.deepEqual([item.event_count, item.dead_letters, item.ttl], [2, { 'no-key': 1 }, undefined]);
});

test('on request the numbers of each table are there: the n-th has data_collection_order n', () => {
  const item = toTransactionItem(
    { ...tracked(change(1, 'a'), change(2, 'b'), change(3, 'a')), end },
    { ...options, withOrder: true },
  );
  assert.deepEqual(item.data_collections, [
    { data_collection: 'testDB.dbo.a', event_count: 2, total_orders: '1,3' },
    { data_collection: 'testDB.dbo.b', event_count: 1, total_orders: '2' },
  ]);
});

test('changes without numbers make an end without counts', () => {
  const item = toTransactionItem({ ...tracked(change(1, 'a'), change(undefined, 'a')), end }, options);
  assert.deepEqual([item.status, item.event_count, item.untracked], ['END', null, true]);
});

test('a change that comes after the end begins the transaction anew, once', () => {
  const ended = { ...tracked(change(1, 'a')), end };
  const [late] = groupChanges([change(2, 'a'), change(1, 'a')], 3000);
  assert.ok(late !== undefined);
  const again = withChanges(ended, late);
  assert.deepEqual([again?.end, again?.late, again?.state.firstSeen], [undefined, 1, 1000]);
  assert.equal(withChanges(again, late), undefined);
});

test('of a restored database transactions have keys of their own', () => {
  assert.ok(lsn !== undefined);
  assert.equal(transactionKey('a/b', commitOf(0, lsn)), 'a~2Fb:00000025:00000d08:0025');
  assert.equal(transactionKey('a/b', commitOf(3, lsn)), 'a~2Fb:3:00000025:00000d08:0025');
});

test('an ended item fits into Cosmos DB: every other number of a large transaction missing made it 4 MB', () => {
  const changes = Array.from({ length: 20_000 }, (_, n) => change(2 * n + 1, 'a'));
  const item = toTransactionItem({ ...tracked(...changes), end }, options);
  assert.deepEqual([item.event_count, item.missing, item.missing_count], [20_000, undefined, 19_999]);
  const odd = SequenceSet.ofNumbers(Array.from({ length: MAX_TRANSACTION_CELLS / 2 }, (_, n) => 2 * n + 1));
  const state = { ...tracked(change(1, 'a')).state, handled: new Map([['testDB.dbo.a', odd]]) };
  const largest = toTransactionItem(
    { ...tracked(change(1, 'a')), state: joinStates(state, state), end },
    { ...options, withOrder: true },
  );
  assert.equal(largest.event_count, odd.size);
  assert.ok(JSON.stringify(largest).length < MAX_ITEM_BYTES);
});

test('dead letters without numbers are told: the watermark counted none of a Debezium without total_order', () => {
  const transaction = tracked(change(undefined, 'a'), change(undefined, 'a', { reason: 'no-key' }));
  const item = toTransactionItem({ ...transaction, end }, options);
  assert.deepEqual(
    [item.dead_letters, item.missing, item.event_count, item.ttl],
    [{ 'no-key': 1 }, undefined, null, 60],
  );
  const stored = fromTransactionItem(JSON.parse(JSON.stringify(item)));
  assert.deepEqual(stored, { ...transaction, end });
  const [again] = groupChanges([change(undefined, 'b', { reason: 'no-key' })], 2000);
  const [other] = groupChanges([change(undefined, 'b', { reason: 'row-too-large' })], 2000);
  assert.ok(stored !== undefined && again !== undefined && other !== undefined);
  assert.equal(withChanges(stored, again), undefined);
  assert.equal(withChanges(stored, other)?.state.dead.size, 2);
});
