import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { isSuperseded } from '../../src/replica/isSuperseded.ts';
import { join } from '../../src/replica/join.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { type ChangeParts, changeOf, purchases } from './changeOf.ts';

const merge = rulesFor(purchases);

/** The state of row 7 after these changes. */
function stored(...changes: readonly Change[]): RowState {
  const ofRow = changes
    .flatMap((change) => rowChanges(change, merge).rows)
    .filter(({ id }) => id.endsWith(':7'));
  return ofRow.map(({ state }) => state).reduce(join);
}

const columns = ['a', 'b'] as const;
const values = fc
  .subarray([...columns])
  .map((names): [string, string][] => [['id', '7'], ...names.map((name): [string, string] => [name, name])]);

/** Changes of row 7, some of which move it there from another key; `old` is left out now and then. */
const parts: fc.Arbitrary<ChangeParts> = fc
  .record({
    operation: fc.constantFrom('INS', 'UPD', 'UPD', 'DEL'),
    current: values,
    old: fc.option(fc.tuple(fc.constantFrom('7', '7', '8'), values)),
  })
  .map(({ operation, current, old }) => ({
    operation,
    types: current.map(([name]) => [name, 'varchar(9)'] as const),
    current: operation === 'DEL' ? null : current,
    old: old === null ? null : old[1].map(([name, value]) => [name, name === 'id' ? old[0] : value] as const),
  }));

const history = fc
  .array(parts, { minLength: 2, maxLength: 6 })
  .map((list) => list.map((one, index) => changeOf({ ...one, n: index + 1 })));

for (const updates of ['merge', 'replace'] as const) {
  test(`${updates}: what is called superseded adds nothing, to this row or another`, () => {
    let superseded = 0;
    fc.assert(
      fc.property(
        history,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('known', 'cut'),
        (changes, pick, mask, old) => {
          const applied = changes.filter((_, index) => (mask >> index) % 2 === 1);
          const change = changes[pick % changes.length];
          if (applied.length === 0 || change === undefined) return;
          const options = rulesFor(purchases, { updates });
          const states = applied
            .flatMap((one) => rowChanges(one, options).rows)
            .filter(({ id }) => id.endsWith(':7'));
          const state = states.map((row) => row.state).reduce(join);
          const head = { ...change, old: old === 'cut' ? undefined : change.old };
          if (!isSuperseded(head, state, options)) return;
          superseded += 1;
          if (applied.includes(change)) return;
          const { rows } = rowChanges(change, options);
          assert.equal(rows.length, 1);
          for (const row of rows) assert.equal(join(state, row.state), state);
        },
      ),
      { numRuns: 3_000 },
    );
    assert.ok(superseded > 300, `${superseded}`);
  });
}

const insert = changeOf({
  operation: 'INS',
  n: 5,
  current: [
    ['id', '7'],
    ['a', 'x'],
    ['b', 'y'],
  ],
});
const update = (n: number, ...names: readonly string[]): Change =>
  changeOf({
    operation: 'UPD',
    n,
    types: ['id', ...names].map((name) => [name, 'varchar(9)']),
    current: [['id', '7'], ...names.map((name): [string, string] => [name, String(n)])],
  });

test('an event that was applied is superseded as long as a trace of it is there', () => {
  assert.equal(isSuperseded({ ...insert, old: undefined }, stored(insert, update(9, 'a')), merge), true);
  assert.equal(
    isSuperseded(update(6, 'a', 'b'), stored(insert, update(6, 'a', 'b'), update(7, 'a')), merge),
    true,
  );
});

test('an update is superseded when every column of it is newer, and not before', () => {
  const state = stored(update(7, 'a'), update(8, 'b'));
  assert.equal(isSuperseded(update(6, 'a', 'b'), state, merge), true);
  assert.equal(isSuperseded(update(6, 'a', 'c'), state, merge), false);
  assert.equal(isSuperseded({ ...update(6), columns: [] }, state, merge), false);
  assert.equal(isSuperseded(update(6, 'a', 'b'), state, rulesFor(purchases, { updates: 'replace' })), false);
  assert.equal(isSuperseded(update(6, 'a', 'b'), state, rulesFor(purchases, { epoch: 1 })), false);
});

test('a delete is superseded by a newer image only', () => {
  const remove = changeOf({ operation: 'DEL', n: 4 });
  assert.equal(isSuperseded(remove, stored(insert), merge), true);
  assert.equal(isSuperseded(remove, stored(update(6, 'a', 'b')), merge), false);
});

// The row under the new key says nothing of the old one, which this change deletes.
test('an update that moved the row, or may have, is not superseded', () => {
  const newer = stored(
    changeOf({ operation: 'INS', n: 9, current: insert.current === null ? null : [['id', '7']] }),
  );
  assert.equal(isSuperseded({ ...update(6, 'a'), old: { id: '7' } }, newer, merge), true);
  for (const old of [{ id: '8' }, {}, undefined])
    assert.equal(isSuperseded({ ...update(6, 'a'), old }, newer, merge), false);
});

// The batch was cut short after it had written the new key: the delete of the old one was never done.
test('an insert that moved the row is not superseded by its own trace', () => {
  for (const old of [{ id: '8', a: 'x' }, {}])
    assert.equal(isSuperseded({ ...insert, old }, stored(insert), merge), false);
  assert.equal(isSuperseded({ ...insert, old: { id: '7' } }, stored(insert), merge), true);
});
