import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold } from '../../src/replica/fold.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { history, reachableState, replay, type Step, stateOf } from './rowHistory.ts';

const RUNS = { numRuns: 1_000 };

const step = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });

const shuffledHistory = history.chain((steps) =>
  fc.tuple(fc.constant(steps), fc.shuffledSubarray([...steps], { minLength: steps.length })),
);

test('the state is the same in any order, and is what replaying gives', () => {
  fc.assert(
    fc.property(shuffledHistory, ([steps, shuffled]) => {
      const { state } = fold(null, shuffled.map(stateOf));
      assert.deepEqual(state, fold(null, steps.map(stateOf)).state);
      const expected = replay(steps).columns ?? new Map();
      assert.deepEqual(new Map([...state.cells].map(([name, { value }]) => [name, value])), expected);
    }),
    RUNS,
  );
});

test('whether a change was applied does not depend on the order', () => {
  fc.assert(
    fc.property(fc.option(reachableState), shuffledHistory, (stored, [steps, shuffled]) => {
      const inOrder = fold(stored, steps.map(stateOf)).applied;
      const mixed = fold(stored, shuffled.map(stateOf)).applied;
      for (const [index, one] of steps.entries()) assert.equal(mixed[shuffled.indexOf(one)], inOrder[index]);
    }),
    RUNS,
  );
});

test('folding in one go or in two gives the same state', () => {
  fc.assert(
    fc.property(fc.option(reachableState), history, fc.nat(), (stored, steps, cut) => {
      const changes = steps.map(stateOf);
      const at = cut % changes.length;
      const first = at === 0 ? stored : fold(stored, changes.slice(0, at)).state;
      assert.deepEqual(fold(first, changes.slice(at)).state, fold(stored, changes).state);
    }),
    RUNS,
  );
});

test('what is folded again is not applied, and the stored state comes back itself', () => {
  fc.assert(
    fc.property(fc.option(reachableState), history, (stored, steps) => {
      const changes = steps.map(stateOf);
      const { state } = fold(stored, changes);
      const again = fold(state, structuredClone(changes));
      assert.equal(again.state, state);
      assert.deepEqual(
        again.applied,
        changes.map(() => false),
      );
    }),
    RUNS,
  );
});

test('in a batch every change of a row counts as applied, the copies do not', () => {
  const insert = step(1, 'INS', { a: 1 });
  const update = step(2, 'UPD', { a: 2 });
  const remove = step(3, 'DEL');
  assert.deepEqual(fold(null, [remove, insert, update, insert, remove]).applied, [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('changes older than what is stored are not applied', () => {
  const stored = fold(null, [step(1, 'INS', { a: 1, b: 1 }), step(5, 'UPD', { a: 5 })]).state;
  const { state, applied } = fold(stored, [step(4, 'UPD', { a: 4 }), step(3, 'UPD', { b: 3 })]);
  assert.deepEqual(applied, [false, true]);
  assert.equal(state.cells.get('a')?.value, 5);
  assert.equal(state.cells.get('b')?.value, 3);
});

test('nothing to fold is a mistake of the caller', () => {
  assert.throws(() => fold(null, []), RangeError);
});
