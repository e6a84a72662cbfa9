import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { join } from '../../src/replica/join.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { isDeleted } from '../../src/replica/rowState.ts';
import { versionOfStamp } from '../../src/replica/stamp.ts';
import { versionNumber } from './changeOf.ts';
import { groupedJoin, history, reachableState, replay, type Step, stateOf } from './rowHistory.ts';

const RUNS = { numRuns: 2_000 };

const step = (n: number, operation: Step['operation'], columns: object = {}, whole = false): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole });

const valuesOf = (state: RowState) =>
  Object.fromEntries([...state.cells].map(([column, { value }]) => [column, value]));

test('join is commutative', () => {
  fc.assert(
    fc.property(reachableState, reachableState, (a, b) => assert.deepEqual(join(a, b), join(b, a))),
    RUNS,
  );
});

test('join is associative', () => {
  fc.assert(
    fc.property(reachableState, reachableState, reachableState, (a, b, c) =>
      assert.deepEqual(join(join(a, b), c), join(a, join(b, c))),
    ),
    RUNS,
  );
});

test('join is idempotent and absorbs what it already has', () => {
  fc.assert(
    fc.property(reachableState, reachableState, (a, b) => {
      assert.equal(join(a, a), a);
      assert.equal(join(a, structuredClone(a)), a);
      const both = join(a, b);
      assert.equal(join(both, a), both);
      assert.equal(join(both, b), both);
    }),
    RUNS,
  );
});

test('join gives its first operand itself exactly when the second adds nothing', () => {
  fc.assert(
    fc.property(reachableState, reachableState, (a, b) => {
      const both = join(a, b);
      const same = asData(both) === asData(a);
      assert.equal(both === a, same);
    }),
    RUNS,
  );
});

/** Text that is equal for equal states, whatever the order of their columns. */
function asData({ image, cells, newest }: RowState): string {
  return JSON.stringify([image, [...cells].sort(([a], [b]) => (a < b ? -1 : 1)), newest]);
}

test('any order, grouping and repetition of changes gives what replaying them in log order gives', () => {
  fc.assert(
    fc.property(
      history,
      fc.infiniteStream(fc.nat()),
      fc.array(fc.nat(), { minLength: 1 }),
      (steps, random, picks) => {
        const repeated = [...steps, ...steps.filter(() => pick(random, 2) === 0)];
        const shuffled = repeated
          .map((one) => ({ one, at: pick(random, 1_000_000) }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => stateOf(one));
        const state = groupedJoin(shuffled, picks);
        const expected = replay(steps);
        assert.equal(isDeleted(state), expected.deleted);
        assert.deepEqual(
          new Map([...state.cells].map(([column, { value }]) => [column, value])),
          expected.columns ?? new Map(),
        );
        assert.equal(versionOfStamp(state.newest.stamp), versionNumber(expected.newest));
        assert.equal(
          state.image && versionOfStamp(state.image),
          expected.image === null ? null : versionNumber(expected.image),
        );
      },
    ),
    RUNS,
  );
});

function pick(random: fc.Stream<number>, below: number): number {
  return (random.next().value ?? 0) % below;
}

test('an update sets the columns it carries and leaves the others', () => {
  const state = join(step(1, 'INS', { a: 1, b: 1 }), step(3, 'UPD', { a: 3 }));
  assert.deepEqual(valuesOf(state), { a: 3, b: 1 });
});

test('an older update that comes later sets only what nothing newer has set', () => {
  const state = join(
    join(step(1, 'INS', { a: 1, b: 1, c: 1 }), step(3, 'UPD', { a: 3 })),
    step(2, 'UPD', { a: 2, b: 2 }),
  );
  assert.deepEqual(valuesOf(state), { a: 3, b: 2, c: 1 });
});

test('an insert that comes after its updates fills in the rest only', () => {
  const state = join(step(3, 'UPD', { a: 3 }), step(1, 'INS', { a: 1, b: 1 }));
  assert.deepEqual(valuesOf(state), { a: 3, b: 1 });
  assert.equal(state.newest.operation, 'UPD');
});

test('a late change does not bring a deleted row back', () => {
  const deleted = join(step(1, 'INS', { a: 1 }), step(3, 'DEL'));
  assert.equal(join(deleted, step(2, 'UPD', { a: 2 })), deleted);
  assert.equal(join(deleted, step(1, 'INS', { a: 1 })), deleted);
  assert.equal(isDeleted(deleted), true);
});

test('a delete takes no column that was set after it', () => {
  const state = join(step(4, 'UPD', { a: 4 }), join(step(1, 'INS', { a: 1, b: 1 }), step(3, 'DEL')));
  assert.equal(isDeleted(state), false);
  assert.deepEqual(valuesOf(state), { a: 4 });
});

test('at equal versions the row exists: a delete sorts before an insert or update', () => {
  for (const operation of ['INS', 'UPD'] as const) {
    for (const order of [
      [step(2, 'DEL'), step(2, operation, { a: 2 })],
      [step(2, operation, { a: 2 }), step(2, 'DEL')],
    ]) {
      const state = order.reduce(join, step(1, 'INS', { a: 1, b: 1 }));
      assert.deepEqual(valuesOf(state), { a: 2 });
      assert.equal(state.newest.operation, operation);
    }
  }
});

test('an update that counts as the whole row removes the columns it lacks', () => {
  const state = join(step(1, 'INS', { a: 1, dropped: 1 }), step(2, 'UPD', { a: 2 }, true));
  assert.deepEqual(valuesOf(state), { a: 2 });
});

test('a text and the reference that stands for it are one value, which stays a reference', () => {
  const reference = { $blob: 'rows/00/a', bytes: 5, sha256: 'a'.repeat(64) };
  const text = step(1, 'INS', { a: 'large', b: 1 });
  const stored = step(1, 'INS', { a: reference, b: 1 });
  assert.equal(join(stored, text), stored);
  assert.deepEqual(join(text, stored), stored);
  assert.deepEqual(valuesOf(join(stored, step(2, 'UPD', { a: 'new' }))), { a: 'new', b: 1 });
  assert.deepEqual(valuesOf(join(stored, step(2, 'UPD', { b: 2 }))), { a: reference, b: 2 });
  assert.deepEqual(valuesOf(join(stored, step(2, 'DEL'))), {});
});

const placed = (state: RowState, dataCollectionOrder: number): RowState => ({
  ...state,
  newest: { ...state.newest, dataCollectionOrder },
});

// A copy of a change of CES does not tell its place: the numbers written after the end went with each redelivery.
test('a copy of the newest change takes its place away no more than it adds anything', () => {
  const copy = step(2, 'UPD', { a: 2 });
  const numbered = placed(copy, 3);
  assert.equal(join(numbered, copy), numbered);
  assert.deepEqual(join(copy, numbered), numbered);
  assert.equal(join(numbered, placed(copy, 2)), numbered);
  assert.equal(join(numbered, placed(copy, 4)).newest.dataCollectionOrder, 4);
});

test('the place stays when older columns are added, and goes with the change it is of', () => {
  const numbered = placed(step(2, 'UPD', { a: 2 }), 3);
  const both = join(numbered, step(1, 'INS', { a: 1, b: 1 }));
  assert.deepEqual([both.newest.dataCollectionOrder, valuesOf(both)], [3, { a: 2, b: 1 }]);
  assert.equal(join(both, step(3, 'UPD', { a: 3 })).newest.dataCollectionOrder, undefined);
});

test('rows from before the start begin with an update', () => {
  const state = join(step(2, 'UPD', { a: 2 }), step(3, 'UPD', { b: 3 }));
  assert.equal(state.image, null);
  assert.deepEqual(valuesOf(state), { a: 2, b: 3 });
});
