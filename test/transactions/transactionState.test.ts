import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_TRANSACTION_CELLS } from '../../src/limits.ts';
import { SequenceSet } from '../../src/transactions/sequenceSet.ts';
import {
  addsTo,
  arrivedByTable,
  arrivedIn,
  deadLettersIn,
  joinStates,
  type TransactionState,
} from '../../src/transactions/transactionState.ts';

const TOO_MANY = MAX_TRANSACTION_CELLS + 1;
const number = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(TOO_MANY, MAX_TRANSACTION_CELLS / 2) },
);
const sets = fc
  .dictionary(fc.constantFrom('db.dbo.a', 'db.dbo.b', 'db.dbo.c'), fc.array(number, { minLength: 1 }))
  .map((all) => new Map(Object.entries(all).map(([name, some]) => [name, SequenceSet.ofNumbers(some)])));

/** States as they can come about: those that are too large are untracked. */
const states: fc.Arbitrary<TransactionState> = fc
  .record({
    firstSeen: fc.nat(100),
    time: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')),
    handled: sets,
    dead: fc
      .dictionary(fc.constantFrom('no-key', 'invalid-json'), sets)
      .map((all) => new Map(Object.entries(all))),
    untracked: fc.constant(false),
  })
  .map((state) => joinStates(state, state));

/** Maps without order. */
function plain(state: TransactionState): unknown {
  const ranges = (map: ReadonlyMap<string, SequenceSet>) =>
    [...map]
      .filter(([, set]) => set.size > 0)
      .map(([name, set]) => [name, set.ranges])
      .sort();
  return {
    ...state,
    handled: ranges(state.handled),
    dead: [...state.dead]
      .map(([reason, map]) => [reason, ranges(map)] as const)
      .filter(([, map]) => map.length > 0)
      .sort(),
  };
}

test('join is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(states, states, states, (a, b, c) => {
      assert.deepEqual(plain(joinStates(a, b)), plain(joinStates(b, a)));
      assert.deepEqual(plain(joinStates(joinStates(a, b), c)), plain(joinStates(a, joinStates(b, c))));
      assert.deepEqual(plain(joinStates(a, a)), plain(a));
    }),
  );
});

test('a state adds something exactly if the join knows more changes', () => {
  fc.assert(
    fc.property(states, states, (a, b) => {
      const joined = joinStates(a, b);
      const known = (state: TransactionState): unknown => ({
        ...(plain(state) as object),
        firstSeen: 0,
        time: null,
      });
      if (addsTo(a, b)) assert.notDeepEqual(known(joined), known(a));
      else assert.deepEqual(known(joined), known(a));
    }),
  );
});

test('a transaction that is too large is not counted any more, and stays so', () => {
  const large = (n: number, table: string): TransactionState => ({
    firstSeen: 1,
    time: null,
    handled: new Map([[table, SequenceSet.of([[1, n]])]]),
    dead: new Map(),
    untracked: false,
  });
  const half = MAX_TRANSACTION_CELLS / 2;
  assert.equal(joinStates(large(half, 'a'), large(half, 'b')).untracked, false);
  const over = joinStates(large(half, 'a'), large(half + 1, 'b'));
  assert.equal(over.untracked, true);
  assert.equal(over.handled.size, 0);
  assert.equal(addsTo(over, large(1, 'c')), false);
});

test('a dead letter counts as arrived, and no longer as dead once it was applied', () => {
  const base = { firstSeen: 1, time: null, untracked: false };
  const dead = new Map([['no-key', new Map([['t', SequenceSet.ofNumbers([2])]])]]);
  const before = { ...base, handled: new Map([['t', SequenceSet.ofNumbers([1])]]), dead };
  assert.equal(arrivedIn(before).size, 2);
  assert.equal(arrivedByTable(before).get('t')?.size, 2);
  assert.equal(deadLettersIn(before).get('no-key')?.size, 1);
  const replayed = { ...base, handled: new Map([['t', SequenceSet.ofNumbers([2])]]), dead: new Map() };
  const after = joinStates(before, replayed);
  assert.equal(arrivedIn(after).size, 2);
  assert.equal(deadLettersIn(after).size, 0);
});
