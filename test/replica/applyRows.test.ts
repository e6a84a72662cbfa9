import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import {
  COSMOS_CONCURRENCY,
  MAX_BULK_BYTES,
  MAX_ITEM_BYTES,
  OUTRUN_ROUNDS_AT_ONCE,
  RETRY_AFTER_LONGEST_MS,
  RETRY_FIRST_MS,
  RETRY_LONGEST_MS,
} from '../../src/limits.ts';
import { applyRows } from '../../src/replica/applyRows.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { fold } from '../../src/replica/fold.ts';
import { fromReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { ReplicaStore, StoreOperation, StoreOutcome } from '../../src/replica/replicaStore.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { Row } from '../../src/replica/rowStep.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { purchases } from './changeOf.ts';
import { faultyStore, type StoreFault } from './faultyStore.ts';
import { history, replay, type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;
/** Far longer than any test: whoever waits for it hangs. */
const HANG_MS = 600_000;

const idOf = (key: number | string) => documentId(purchases, [String(key)]);
const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });
const rowOf = (key: number | string, ...changes: RowState[]): Row => ({
  id: idOf(key),
  rules: rulesFor(purchases, { largeValues: 'dead-letter' }),
  changes,
});
const apply = (rows: readonly Row[], store: ReplicaStore, deadline: Deadline = new PatientDeadline()) =>
  applyRows(rows, { store, largeValues: new MemoryLargeValues() }, deadline, TTL_S);

/** Puts the item of these changes into the store, as an earlier batch has. */
function stored(store: MemoryStore, key: number | string, ...changes: RowState[]): void {
  store.put(idOf(key), toReplicaItem(idOf(key), purchases, fold(null, changes).state, TTL_S));
}

describe('what a row costs', () => {
  test('ten changes of a new row are one write and no read', async () => {
    const store = new MemoryStore();
    const updates = Array.from({ length: 9 }, (_, index) => change(index + 2, 'UPD', { a: index }));
    const { results, operations } = await apply(
      [rowOf(1, change(1, 'INS', { a: 0, b: 0 }), ...updates)],
      store,
    );
    assert.deepEqual(results, [{ kind: 'done', applied: Array(10).fill(true) }]);
    assert.deepEqual(operations, { reads: 0, writes: 1, failedWrites: 0, requestUnits: 1, largeValues: 0 });
    assert.equal(store.writes, 1);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 8, b: 0 });
  });

  test('ten updates of a stored row are one read and one write', async () => {
    const store = new MemoryStore();
    stored(store, 1, change(1, 'INS', { a: 0, b: 0 }));
    const updates = Array.from({ length: 10 }, (_, index) => change(index + 2, 'UPD', { a: index }));
    const { operations } = await apply([rowOf(1, ...updates.reverse())], store);
    assert.deepEqual(operations, { reads: 1, writes: 1, failedWrites: 0, requestUnits: 2, largeValues: 0 });
    assert.deepEqual(store.item(idOf(1))?.row, { a: 9, b: 0 });
  });

  test('stale changes are one read and no write', async () => {
    const store = new MemoryStore();
    stored(store, 1, change(1, 'INS', { a: 1 }), change(5, 'UPD', { a: 5 }));
    stored(store, 2, change(9, 'DEL'));
    const { results, operations } = await apply(
      [rowOf(1, change(3, 'UPD', { a: 3 })), rowOf(2, change(8, 'UPD', { a: 8 }), change(9, 'DEL'))],
      store,
    );
    assert.deepEqual(results, [
      { kind: 'done', applied: [false], before: change(5, 'UPD').newest },
      { kind: 'done', applied: [false, false], before: change(9, 'DEL').newest },
    ]);
    assert.deepEqual(operations, { reads: 2, writes: 0, failedWrites: 0, requestUnits: 2, largeValues: 0 });
    assert.equal(store.received.create + store.received.replace, 0);
  });

  test('a batch that comes again writes nothing', async () => {
    const store = new MemoryStore();
    const rows = [
      rowOf(1, change(1, 'INS', { a: 1 })),
      rowOf(2, change(2, 'UPD', { a: 2 }), change(3, 'DEL')),
    ];
    await apply(rows, store);
    const before = store.writes;
    const { results, operations } = await apply(rows, store);
    assert.deepEqual(results, [
      { kind: 'done', applied: [false], before: change(1, 'INS').newest },
      { kind: 'done', applied: [false, false], before: change(3, 'DEL').newest },
    ]);
    assert.equal(store.writes, before);
    assert.deepEqual(operations, { reads: 2, writes: 0, failedWrites: 1, requestUnits: 3, largeValues: 0 });
  });

  test('no rows cost nothing', async () => {
    const store = new MemoryStore();
    assert.deepEqual(await apply([], store), {
      results: [],
      operations: { reads: 0, writes: 0, failedWrites: 0, requestUnits: 0, largeValues: 0 },
    });
    assert.equal(store.received.create, 0);
  });
});

describe('requests', () => {
  /** Writes down the requests, and how many were under way at once. */
  class WatchedStore implements ReplicaStore {
    readonly sent: (readonly StoreOperation[])[] = [];
    most = 0;
    readonly #store = new MemoryStore();
    #underWay = 0;

    async execute(operations: readonly StoreOperation[]): Promise<readonly StoreOutcome[]> {
      this.sent.push(operations);
      this.#underWay += 1;
      this.most = Math.max(this.most, this.#underWay);
      await setImmediate();
      const outcomes = await this.#store.execute(operations);
      this.#underWay -= 1;
      return outcomes;
    }
  }

  test('hold up to 100 operations, a few are under way at once', async () => {
    const store = new WatchedStore();
    const rows = Array.from({ length: 1_050 }, (_, key) => rowOf(key, change(1, 'INS', { a: key })));
    const { operations } = await apply(rows, store);
    assert.equal(operations.writes, rows.length);
    assert.deepEqual(
      store.sent.map(({ length }) => length),
      [...Array(10).fill(100), 50],
    );
    assert.equal(store.most, COSMOS_CONCURRENCY);
  });

  test('hold items up to the limit in bytes', async () => {
    const store = new WatchedStore();
    const half = 'x'.repeat(Math.ceil(MAX_BULK_BYTES / 2));
    await apply(
      [1, 2, 3].map((key) => rowOf(key, change(1, 'INS', { a: key === 2 ? half : half.slice(2_000) }))),
      store,
    );
    assert.deepEqual(
      store.sent.map(({ length }) => length),
      [2, 1],
    );
  });

  test('that get no answer for an operation are sent again', async () => {
    const memory = new MemoryStore();
    let calls = 0;
    const forgetful: ReplicaStore = {
      execute: async (operations) => {
        calls += 1;
        return memory.execute(calls === 1 ? operations.slice(0, 1) : operations);
      },
    };
    const { results } = await apply(
      [rowOf(1, change(1, 'INS', { a: 1 })), rowOf(2, change(2, 'INS', { a: 2 }))],
      forgetful,
    );
    assert.deepEqual(results, [
      { kind: 'done', applied: [true] },
      { kind: 'done', applied: [true] },
    ]);
    assert.equal(memory.writes, 2);
  });
});

describe('rows that can never be written', () => {
  test('are rejected, the others of the batch are done', async () => {
    const store = faultyStore(({ id }) => (id === idOf(3) ? { kind: 'refused' } : undefined));
    store.put(idOf(2), { id: idOf(2), pkkey: idOf(2), name: 'theirs' });
    const { results } = await apply(
      [
        rowOf(1, change(1, 'INS', { a: 'x'.repeat(MAX_ITEM_BYTES) })),
        rowOf(2, change(1, 'INS', { a: 2 })),
        rowOf(3, change(1, 'UPD', { a: 3 })),
        rowOf(4, change(1, 'INS', { a: 4 })),
      ],
      store,
    );
    assert.deepEqual(
      results.map((result) => (result.kind === 'rejected' ? result.error.code : result.kind)),
      ['item-too-large', 'foreign-item', 'refused-by-cosmos', 'done'],
    );
    assert.deepEqual(store.item(idOf(2)), { id: idOf(2), pkkey: idOf(2), name: 'theirs' });
    assert.deepEqual(store.item(idOf(4))?.row, { a: 4 });
  });

  test('include what only becomes too large when joined', async () => {
    const store = new MemoryStore();
    const half = 'x'.repeat(MAX_ITEM_BYTES / 2);
    stored(store, 1, change(1, 'INS', { a: half, b: '' }));
    const { results } = await apply([rowOf(1, change(2, 'UPD', { b: half }))], store);
    assert.equal(results[0]?.kind === 'rejected' && results[0].error.code, 'item-too-large');
    assert.deepEqual(store.item(idOf(1))?.row, { a: half, b: '' });
  });
});

describe('waits', () => {
  /** The waits of a batch of one update whose first operations meet these faults. */
  async function waitsOf(faults: StoreFault[]): Promise<number[]> {
    const left = [...faults];
    const deadline = new PatientDeadline();
    await apply(
      [rowOf(1, change(1, 'UPD', { a: 1 }))],
      faultyStore(() => left.shift()),
      deadline,
    );
    return deadline.waits;
  }
  const within = (wait: number | undefined, least: number) =>
    assert.ok(wait !== undefined && wait >= least && wait <= least * 1.5, `${wait} for ${least}`);

  test('as long as Cosmos DB asks, within reason', async () => {
    const [asked] = await waitsOf([{ kind: 'throttled', retryAfterMs: 1_234 }]);
    within(asked, 1_234);
    const [excessive] = await waitsOf([{ kind: 'throttled', retryAfterMs: 10 * RETRY_AFTER_LONGEST_MS }]);
    within(excessive, RETRY_AFTER_LONGEST_MS);
  });

  test('longer each time when Cosmos DB does not say, up to a limit', async () => {
    const waits = await waitsOf(Array(12).fill({ kind: 'lostBefore' }));
    assert.equal(waits.length, 12);
    for (const [index, wait] of waits.entries()) {
      within(wait, Math.min(RETRY_FIRST_MS * 2 ** index, RETRY_LONGEST_MS));
    }
  });

  test('short again after a round without trouble', async () => {
    const store = new MemoryStore();
    let operations = 0;
    const faults = [true, true, false, true];
    const faulty: ReplicaStore = {
      execute: (sent) => {
        const fails = faults[operations];
        operations += 1;
        return fails
          ? Promise.resolve(sent.map(() => ({ kind: 'unknown', reason: 'lost' }) as const))
          : store.execute(sent);
      },
    };
    const deadline = new PatientDeadline();
    await apply([rowOf(1, change(1, 'UPD', { a: 1 }))], faulty, deadline);
    const [first, second, third, ...rest] = deadline.waits;
    within(first, RETRY_FIRST_MS);
    within(second, 2 * RETRY_FIRST_MS);
    within(third, RETRY_FIRST_MS);
    assert.deepEqual(rest, []);
  });

  test('when another writer was first again and again', async () => {
    // A read and a replace each round.
    const waits = await waitsOf(
      Array.from({ length: 2 * (OUTRUN_ROUNDS_AT_ONCE + 2) }, (_, round) => ({
        kind: 'meanwhile',
        act: (store) => stored(store, 1, change(round + 2, 'UPD', { b: round })),
      })),
    );
    assert.equal(waits.length, 2);
    within(waits[0], RETRY_FIRST_MS);
    within(waits[1], 2 * RETRY_FIRST_MS);
  });

  test('never when all goes well or another writer was first', async () => {
    assert.deepEqual(await waitsOf([]), []);
    const meanwhile: StoreFault = {
      kind: 'meanwhile',
      act: (store) => stored(store, 1, change(5, 'UPD', { b: 5 })),
    };
    assert.deepEqual(await waitsOf([meanwhile]), []);
  });
});

describe('at the deadline', () => {
  // Rounds without a wait never let the timer of the deadline run.
  test('a batch ends that another writer always outruns', async () => {
    const store: ReplicaStore = { execute: async (sent) => sent.map(() => ({ kind: 'outrun' })) };
    await assert.rejects(apply([rowOf(1, change(1, 'UPD', { a: 1 }))], store, new Deadline(0.05)), {
      name: 'OutageError',
      message: /writing 1 of 1 rows to Cosmos DB was not done within 0\.05 s/,
    });
  });

  test('a request that is under way is given up', async () => {
    const silent: ReplicaStore = {
      execute: async (sent, signal) => {
        await setTimeout(HANG_MS, undefined, { signal }).catch(() => undefined);
        return sent.map(() => ({ kind: 'unknown', reason: 'the request was given up' }) as const);
      },
    };
    const rows = [rowOf(1, change(1, 'INS', { a: 1 }))];
    await assert.rejects(apply(rows, silent, new Deadline(0.05)), OutageError);
  });

  test('the batch fails, and what was done stays done', async () => {
    const store = faultyStore(({ id }) =>
      id === idOf(2) ? { kind: 'throttled', retryAfterMs: RETRY_AFTER_LONGEST_MS } : undefined,
    );
    const rows = [rowOf(1, change(1, 'INS', { a: 1 })), rowOf(2, change(1, 'INS', { a: 2 }))];
    await assert.rejects(apply(rows, store, new Deadline(0.05)), (error) => {
      assert.ok(error instanceof OutageError);
      assert.match(
        error.message,
        /writing 1 of 2 rows to Cosmos DB \(last answer: [^)]+\) was not done within 0\.05 s/,
      );
      return true;
    });
    assert.deepEqual(
      store.items().map(({ id }) => id),
      [idOf(1)],
    );

    const healed = new MemoryStore();
    for (const item of store.items()) healed.put(item.id, item);
    await apply(rows, healed);
    assert.deepEqual(healed.item(idOf(2))?.row, { a: 2 });
  });

  test('nothing is sent any more', async () => {
    const deadline = new Deadline(0);
    await deadline.sleep(10_000);
    const store = new MemoryStore();
    await assert.rejects(apply([rowOf(1, change(1, 'INS', { a: 1 }))], store, deadline), OutageError);
    assert.equal(store.received.create, 0);
  });
});

/** Content of the store as the source sees it: columns of live rows, null for deleted ones. */
function contentOf(store: MemoryStore): Map<string, Map<string, unknown> | null> {
  return new Map(
    store.items().map(({ id, row }) => [id, row === undefined ? null : new Map(Object.entries(row))]),
  );
}

function contentOfSource(rows: readonly (readonly Step[])[]): Map<string, Map<string, unknown> | null> {
  return new Map(
    rows.map((steps, key) => {
      const { columns } = replay(steps);
      return [idOf(key), columns === null ? null : new Map(columns)];
    }),
  );
}

const faultScript = fc.array(
  fc.constantFrom('none', 'none', 'throttled', 'lostBefore', 'lostAfter', 'otherWriter', 'tombstoneEnds'),
  { maxLength: 40 },
);

test('whatever the store answers, the rows end as the source has them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 4 }),
      faultScript,
      async (histories, script) => {
        const left = [...script];
        // Another writer brings the same changes: what it has written is never more than the source has.
        const store = faultyStore(({ id, kind }) => {
          const fault = left.shift();
          switch (fault) {
            case 'throttled':
              return { kind: 'throttled', retryAfterMs: 5 };
            case 'lostBefore':
            case 'lostAfter':
              return { kind: fault };
            case 'otherWriter':
              return { kind: 'meanwhile', act: (one) => writeOneMore(one, id, histories, left.length) };
            case 'tombstoneEnds':
              // Only on a replace: before a read it would be a tombstone that ended too early.
              return kind === 'replace' ? { kind: 'meanwhile', act: endTombstone(id, histories) } : undefined;
            default:
              return undefined;
          }
        });
        const rows = histories.map((steps, key) => rowOf(key, ...steps.map(stateOf)));
        const { results } = await apply(rows, store);
        assert.deepEqual(contentOf(store), contentOfSource(histories));
        for (const [index, result] of results.entries()) {
          assert.equal(result.kind, 'done');
          assert.equal(result.kind === 'done' && result.applied.length, rows[index]?.changes.length);
        }
        const { operations } = await apply(rows, store);
        assert.equal(operations.writes, 0);
      },
    ),
    { numRuns: 500 },
  );
});

function writeOneMore(
  store: MemoryStore,
  id: string,
  histories: readonly (readonly Step[])[],
  random: number,
): void {
  const key = histories.findIndex((_, index) => idOf(index) === id);
  const steps = histories[key] ?? [];
  const step = steps[random % Math.max(steps.length, 1)];
  if (step === undefined) return;
  const item = store.item(id);
  const { state } = fold(item === undefined ? null : fromReplicaItem(item), [stateOf(step)]);
  stored(store, key, state);
}

/** Ends the stored tombstone where that loses nothing: the changes at hand know all of the row. */
function endTombstone(id: string, histories: readonly (readonly Step[])[]): (store: MemoryStore) => void {
  return (store) => {
    assert.ok(histories.some((_, index) => idOf(index) === id));
    if (store.item(id)?.deleted === true) store.remove(id);
  };
}

test('instances that write the same rows at once end as the source has them', async () => {
  let outrun = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 36, maxLength: 36 }),
      async (histories, owners) => {
        const store = new MemoryStore();
        let next = 0;
        // Every change has one instance that must bring it; the instance 0 brings all of them besides.
        const parts: Step[][][] = [0, 1, 2].map((instance) =>
          histories.map((steps) =>
            steps.filter(() => {
              next += 1;
              return instance === 0 || owners[next % owners.length] === instance;
            }),
          ),
        );
        const batches = parts.map((part) =>
          part.flatMap((steps, key) => (steps.length === 0 ? [] : [rowOf(key, ...steps.map(stateOf))])),
        );
        const applied = await Promise.all(batches.map((rows) => apply(rows, store)));
        outrun += applied.reduce((sum, { operations }) => sum + operations.failedWrites, 0);
        assert.deepEqual(contentOf(store), contentOfSource(histories));
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(outrun > 0, 'no instance ever met another');
});

// A committed write whose answer was lost is found by the read that follows; it must not count as superseded.
test('a write whose answer was lost counts as applied', async () => {
  for (const kind of ['lostBefore', 'lostAfter'] as const) {
    const faults: StoreFault[] = [{ kind }];
    const store = faultyStore(() => faults.shift());
    const { results } = await apply([rowOf(1, change(1, 'INS', { a: 1 }))], store);
    assert.deepEqual(results, [{ kind: 'done', applied: [true] }]);
    assert.deepEqual(store.item(idOf(1))?.row, { a: 1 });
    assert.equal(store.writes, 1);
  }
});

test('a writer that comes in between is joined, not overwritten', async () => {
  const faults: (StoreFault | undefined)[] = [
    undefined,
    {
      kind: 'meanwhile',
      act: (one) => stored(one, 1, change(1, 'INS', { a: 1, b: 1 }), change(3, 'UPD', { b: 3 })),
    },
  ];
  const store = faultyStore(() => faults.shift());
  stored(store, 1, change(1, 'INS', { a: 1, b: 1 }));
  const { results, operations } = await apply([rowOf(1, change(2, 'UPD', { a: 2, b: 2 }))], store);
  assert.deepEqual(results, [{ kind: 'done', applied: [true], before: change(1, 'INS').newest }]);
  assert.deepEqual(store.item(idOf(1))?.row, { a: 2, b: 3 });
  assert.deepEqual(operations, { reads: 2, writes: 1, failedWrites: 1, requestUnits: 4, largeValues: 0 });
});
