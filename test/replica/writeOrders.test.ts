import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ITEM_BYTES, NUMBERING_TRIES } from '../../src/limits.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { join } from '../../src/replica/join.ts';
import { type ReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { StoreOutcome } from '../../src/replica/replicaStore.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { type OrderedRow, writeOrders } from '../../src/replica/writeOrders.ts';
import { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { purchases, versionNumber } from './changeOf.ts';
import { type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;
const idOf = (key: number) => documentId(purchases, [String(key)]);
const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });

function put(store: MemoryStore, key: number, state: RowState): ReplicaItem {
  const item = toReplicaItem(idOf(key), purchases, state, TTL_S);
  store.put(item.id, item);
  return item;
}

/** Asks for order 3 of the change `n` of a row. */
const ordered = (key: number, n: number): OrderedRow => ({
  id: idOf(key),
  table: purchases,
  version: versionNumber(n),
  order: 3,
});
const write = (store: MemoryStore, ...rows: readonly OrderedRow[]) =>
  writeOrders(rows, undefined, store, new PatientDeadline(), TTL_S);

test('a row gets its order and stays as it is otherwise, whether it is live, deleted, or kept when it was', async () => {
  const store = new MemoryStore();
  const kept = stateOf({ n: 2, operation: 'DEL', columns: new Map([['a', 2]]), whole: false, soft: true });
  const states = [
    join(change(1, 'INS', { a: 1, b: 1 }), change(2, 'UPD', { a: 2 })),
    join(change(1, 'INS', { a: 1 }), change(2, 'DEL')),
    join(change(1, 'INS', { a: 1, b: 1 }), kept),
    change(2, 'UPD', { a: 2 }),
  ];
  const before = states.map((state, key) => put(store, key, state));
  const rows = states.map((_, key) => ordered(key, 2));
  assert.deepEqual(await write(store, ...rows), { written: states.length, left: [] });
  for (const item of before) {
    const transaction = { ...item._ces.transaction, data_collection_order: 3 };
    assert.deepEqual(store.item(item.id), { ...item, _ces: { ...item._ces, transaction } });
  }
  assert.deepEqual(await write(store, ...rows), { written: 0, left: [] });
});

test('no order is written where it is of no use, and it is not asked for again', async () => {
  const store = new MemoryStore();
  put(store, 1, change(3, 'UPD', { a: 3 }));
  const state = change(2, 'UPD', { a: 2 });
  put(store, 2, { ...state, newest: { ...state.newest, dataCollectionOrder: 4 } });
  put(store, 3, change(2, 'INS', { a: 'x'.repeat(MAX_ITEM_BYTES - 380) }));
  store.put(idOf(4), { id: idOf(4), pkkey: idOf(4), note: 'of someone else' });
  const before = store.items();
  const keys = [1, 2, 3, 4, 5];
  const size = JSON.stringify(store.item(idOf(3))).length;
  assert.ok(size < MAX_ITEM_BYTES && size > MAX_ITEM_BYTES - 20, `${size}`);
  assert.deepEqual(await write(store, ...keys.map((key) => ordered(key, 2))), { written: 0, left: [] });
  assert.deepEqual(store.items(), before);
  assert.equal(store.received.replace, 0);
});

test('a row that is written between read and write is looked at again', async () => {
  const store = new MemoryStore();
  for (const key of [1, 2, 3]) put(store, key, change(2, 'UPD', { a: 2 }));
  const meanwhile = new Map([
    [idOf(1), () => put(store, 1, join(change(2, 'UPD', { a: 2 }), change(1, 'INS', { b: 1 })))],
    [idOf(2), () => put(store, 2, change(3, 'UPD', { a: 3 }))],
    [idOf(3), () => store.remove(idOf(3))],
  ]);
  store.fault = ({ kind, id }) => {
    if (kind === 'replace') meanwhile.get(id)?.();
    meanwhile.delete(kind === 'replace' ? id : ('' as OrderedRow['id']));
    return undefined;
  };
  const rows = [1, 2, 3].map((key) => ordered(key, 2));
  assert.deepEqual(await write(store, ...rows), { written: 1, left: [] });
  assert.deepEqual(store.item(idOf(1))?.row, { a: 2, b: 1 });
  assert.deepEqual(
    [1, 2].map((key) => store.item(idOf(key))?._ces.transaction?.data_collection_order),
    [3, undefined],
  );
});

for (const [outcome, isLeft] of [
  [{ kind: 'refused', reason: 'status 413' }, false],
  [{ kind: 'throttled', retryAfterMs: 7 }, true],
  [{ kind: 'unknown', reason: 'status 503' }, true],
  [{ kind: 'outrun' }, true],
] as const satisfies readonly (readonly [StoreOutcome, boolean])[]) {
  test(`a write that is always ${outcome.kind} ends, and holds up no other row`, async () => {
    const store = new MemoryStore();
    for (const key of [1, 2]) put(store, key, change(2, 'INS', { a: 2 }));
    store.fault = ({ kind, id }) =>
      kind === 'replace' && id === idOf(1) ? { outcome, done: false } : undefined;
    assert.deepEqual(await write(store, ordered(1, 2), ordered(2, 2)), {
      written: 1,
      left: isLeft ? [ordered(1, 2)] : [],
    });
    assert.ok(store.received.replace <= NUMBERING_TRIES + 2);
  });
}

test('a write whose answer is lost is found to be done', async () => {
  const store = new MemoryStore();
  put(store, 1, change(2, 'INS', { a: 2 }));
  store.fault = ({ kind }) =>
    kind === 'replace' ? { outcome: { kind: 'unknown', reason: 'reset' }, done: true } : undefined;
  assert.deepEqual(await write(store, ordered(1, 2)), { written: 0, left: [] });
  assert.equal(store.item(idOf(1))?._ces.transaction?.data_collection_order, 3);
});

test('reads that are put off, since one response holds no more, are no failures', async () => {
  const store = new MemoryStore();
  const keys = Array.from({ length: 2 * NUMBERING_TRIES }, (_, key) => key);
  for (const key of keys) put(store, key, change(2, 'INS', { a: 2 }));
  let answered = false;
  store.gate = async () => {
    answered = false;
  };
  store.fault = ({ kind }) => {
    if (kind !== 'read') return undefined;
    if (answered) return { outcome: { kind: 'deferred' }, done: false };
    answered = true;
    return undefined;
  };
  const rows = keys.map((key) => ordered(key, 2));
  assert.deepEqual(await write(store, ...rows), { written: keys.length, left: [] });
});
