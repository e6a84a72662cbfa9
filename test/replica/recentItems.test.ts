import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { applyRows } from '../../src/replica/applyRows.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { fold } from '../../src/replica/fold.ts';
import { RecentItems } from '../../src/replica/recentItems.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { Row } from '../../src/replica/rowStep.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { purchases } from './changeOf.ts';
import { faultyStore } from './faultyStore.ts';
import { history, replay, type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;
const PLENTY = 1_000_000;

const idOf = (key: number) => documentId(purchases, [String(key)]);
const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });
const rowOf = (key: number, ...changes: RowState[]): Row => ({
  id: idOf(key),
  rules: rulesFor(purchases, { largeValues: 'dead-letter' }),
  changes,
});

/** A process with a memory of its own. */
const processOn = (store: MemoryStore, mostBytes = PLENTY) => {
  const stores = { store, largeValues: new MemoryLargeValues(), recentItems: new RecentItems(mostBytes) };
  return (...rows: readonly Row[]) => applyRows(rows, stores, new PatientDeadline(), TTL_S);
};

describe('a row that was written a moment ago', () => {
  test('is not read before it is written again', async () => {
    const store = new MemoryStore();
    const apply = processOn(store);
    await apply(rowOf(1, change(1, 'INS', { a: 1, b: 1 })));
    const { results, operations } = await apply(rowOf(1, change(2, 'UPD', { a: 2 })));
    assert.deepEqual(results, [{ kind: 'done', applied: [true], before: change(1, 'INS').newest }]);
    assert.deepEqual(operations, { reads: 0, writes: 1, failedWrites: 0, requestUnits: 1, largeValues: 0 });
    await apply(rowOf(1, change(3, 'DEL')));
    await apply(rowOf(1, change(4, 'INS', { a: 4 })));
    assert.deepEqual(store.received, { create: 1, read: 0, replace: 3 });
    assert.deepEqual(store.item(idOf(1))?.row, { a: 4 });
  });

  test('is read when someone else has written it meanwhile, and what that was is told', async () => {
    const store = new MemoryStore();
    const [one, other] = [processOn(store), processOn(store)];
    await one(rowOf(1, change(1, 'INS', { a: 1 })));
    await other(rowOf(1, change(3, 'UPD', { b: 3 })));
    const { results, operations } = await one(rowOf(1, change(2, 'UPD', { a: 2, b: 2 })));
    assert.deepEqual(results, [{ kind: 'done', applied: [true], before: change(3, 'UPD').newest }]);
    assert.deepEqual([operations.reads, operations.writes, operations.failedWrites], [1, 1, 1]);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 2, b: 3 });
  });

  test('is made again where it was removed: nothing is superseded by what is only remembered', async () => {
    const store = new MemoryStore();
    const apply = processOn(store);
    const insert = rowOf(1, change(1, 'INS', { a: 1 }));
    await apply(insert);
    store.remove(idOf(1));
    const { results } = await apply(insert);
    assert.deepEqual(results, [{ kind: 'done', applied: [true] }]);
    store.remove(idOf(1));
    const update = await apply(rowOf(1, change(2, 'UPD', { a: 2 })));
    assert.deepEqual(update.results, [{ kind: 'done', applied: [true] }]);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 2 });
  });

  // Its changes were put aside, although what was stored had become small meanwhile.
  test('is read when Cosmos DB refuses what became of the remembered item', async () => {
    const store = new MemoryStore();
    const [one, other] = [processOn(store), processOn(store)];
    await one(rowOf(1, change(1, 'INS', { a: 'large' })));
    await other(rowOf(1, change(2, 'UPD', { a: 'small' })));
    store.fault = (operation) =>
      operation.kind !== 'read' && operation.item.row?.['a'] === 'large'
        ? { outcome: { kind: 'refused', reason: 'status 413' }, done: false }
        : undefined;
    const { results } = await one(rowOf(1, change(3, 'UPD', { b: 3 })));
    assert.deepEqual(results, [{ kind: 'done', applied: [true], before: change(2, 'UPD').newest }]);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 'small', b: 3 });
  });

  test('is read when its changes do not fit into the remembered item', async () => {
    const store = new MemoryStore();
    const [one, other] = [processOn(store), processOn(store)];
    const limited = (...changes: RowState[]): Row => {
      const row = rowOf(1, ...changes);
      return { ...row, rules: { ...row.rules, itemBytes: 2_000 } };
    };
    await one(limited(change(1, 'INS', { a: 'x'.repeat(1_000) })));
    await other(limited(change(2, 'UPD', { a: 'small' })));
    const { results } = await one(limited(change(3, 'UPD', { b: 'x'.repeat(1_000) })));
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['done'],
    );
    assert.deepEqual(store.item(idOf(1))?.row, { a: 'small', b: 'x'.repeat(1_000) });
  });

  test('is given up when Cosmos DB refuses what became of the item that is stored', async () => {
    const store = new MemoryStore();
    const apply = processOn(store);
    await apply(rowOf(1, change(1, 'INS', { a: 1 })));
    store.fault = ({ kind }) =>
      kind === 'replace' ? { outcome: { kind: 'refused', reason: 'status 400' }, done: false } : undefined;
    const { results } = await apply(rowOf(1, change(2, 'UPD', { a: 2 })));
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['rejected'],
    );
    assert.deepEqual(store.received, { create: 1, read: 1, replace: 2 });
  });

  test('that is in another container is another row', async () => {
    const store = new MemoryStore();
    const apply = processOn(store);
    await apply(rowOf(1, change(1, 'INS', { a: 1 })));
    const row = rowOf(1, change(2, 'UPD', { a: 2 }));
    await apply({ ...row, rules: { ...row.rules, container: 'other' } });
    assert.deepEqual(store.received, { create: 1, read: 1, replace: 1 });
  });

  test('is forgotten when an answer is lost', async () => {
    let faults = 1;
    const store = faultyStore(({ kind }) => {
      if (kind !== 'replace' || faults === 0) return undefined;
      faults -= 1;
      return { kind: 'lostAfter' };
    });
    const apply = processOn(store);
    await apply(rowOf(1, change(1, 'INS', { a: 1 })));
    const { results } = await apply(rowOf(1, change(2, 'UPD', { a: 2 })));
    assert.deepEqual(results, [{ kind: 'done', applied: [true], before: change(1, 'INS').newest }]);
    const { operations } = await apply(rowOf(1, change(3, 'UPD', { a: 3 })));
    assert.deepEqual([operations.reads, operations.failedWrites], [1, 0]);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 3 });
  });
});

describe('the memory', () => {
  const written = (key: number, bytes: number, container?: string) => {
    const id = idOf(key);
    const { state } = fold(null, [change(1, 'INS', { a: key })]);
    return { id, container, item: toReplicaItem(id, purchases, state, TTL_S), bytes, etag: `"${key}"` };
  };
  const known = (memory: RecentItems) =>
    [1, 2, 3, 4].filter((key) => memory.get(idOf(key), undefined) !== undefined);

  test('has a limit in bytes; what was written longest ago goes first', () => {
    const memory = new RecentItems(100);
    for (const key of [1, 2, 3]) memory.add(written(key, 33));
    memory.add(written(1, 33));
    memory.add(written(4, 33));
    assert.deepEqual(known(memory), [1, 3, 4]);
    memory.add(written(2, 100));
    assert.deepEqual(known(memory), [2]);
    memory.add(written(3, 101));
    assert.deepEqual(known(memory), []);
    memory.add(written(1, 100));
    assert.deepEqual(known(memory), [1]);
  });

  test('tells containers apart, and forgets', () => {
    const memory = new RecentItems(100);
    memory.add(written(1, 10, 'other'));
    assert.equal(memory.get(idOf(1), undefined), undefined);
    assert.equal(memory.get(idOf(1), 'other')?.etag, '"1"');
    memory.forget(idOf(1), 'other');
    memory.forget(idOf(1), 'other');
    assert.equal(memory.get(idOf(1), 'other'), undefined);
    memory.add(written(2, 100));
    assert.deepEqual(known(memory), [2]);
  });
});

test('batches of several processes with memories end as the source has it, whatever the store answers', async () => {
  let unread = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.array(fc.nat(1), { minLength: 12, maxLength: 12 }),
      fc.array(fc.constantFrom('none', 'none', 'none', 'lostBefore', 'lostAfter', 'throttled'), {
        maxLength: 20,
      }),
      async (steps, owners, script) => {
        const left = [...script];
        const store = faultyStore(() => {
          const fault = left.shift() ?? 'none';
          if (fault === 'none') return undefined;
          return fault === 'throttled' ? { kind: fault, retryAfterMs: 5 } : { kind: fault };
        });
        const processes = [processOn(store), processOn(store, 200)];
        for (const [index, step] of steps.entries()) {
          const apply = processes[owners[index] ?? 0];
          const { operations } = (await apply?.(rowOf(1, stateOf(step)))) ?? {};
          if (operations?.reads === 0 && step.operation !== 'INS') unread += 1;
        }
        const { columns } = replay(steps);
        const row = store.item(idOf(1))?.row;
        assert.deepEqual(
          row === undefined ? null : new Map(Object.entries(row)),
          columns === null ? null : new Map(columns),
        );
      },
    ),
    { numRuns: 500 },
  );
  assert.ok(unread > 100, `${unread} without a read`);
});
