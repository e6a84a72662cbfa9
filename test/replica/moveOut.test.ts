import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentId } from '../../src/replica/documentId.ts';
import { join } from '../../src/replica/join.ts';
import { isReference } from '../../src/replica/largeValue.ts';
import { jsonBytes, moveOut } from '../../src/replica/moveOut.ts';
import { fromReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { purchases } from './changeOf.ts';
import { stateOf } from './rowHistory.ts';

const id = documentId(purchases, ['1']);
const insert = (columns: object): RowState =>
  stateOf({ n: 1, operation: 'INS', columns: new Map(Object.entries(columns)), whole: false });
const sizeOf = (state: RowState) => jsonBytes(toReplicaItem(id, purchases, state, 60));
const move = (state: RowState, limit: number) => moveOut(id, 'rows', state, sizeOf(state) - limit);
const referencesOf = (state: RowState) =>
  [...state.cells].filter(([, { value }]) => isReference(value)).map(([column]) => column);

test('the largest texts go, and no more than have to', () => {
  const state = insert({ a: 'a'.repeat(3_000), b: 'b'.repeat(9_000), c: 5, d: 'd'.repeat(6_000), e: null });
  assert.deepEqual(referencesOf(move(state, 15_000)?.state ?? state), ['b']);
  const two = move(state, 8_000);
  assert.deepEqual(referencesOf(two?.state ?? state), ['b', 'd']);
  assert.deepEqual(
    two?.values.map(({ text }) => text),
    ['b'.repeat(9_000), 'd'.repeat(6_000)],
  );
  const value = two?.state.cells.get('b')?.value;
  assert.deepEqual(value, {
    $blob: two?.values[0]?.name,
    bytes: 9_000,
    sha256: createHash('sha256').update('b'.repeat(9_000)).digest('hex'),
  });
});

test('sizes are those of JSON, lengths those of UTF-8', () => {
  const state = insert({ a: '"'.repeat(4_000), b: '€'.repeat(2_000) });
  const moved = move(state, 7_500);
  assert.deepEqual(referencesOf(moved?.state ?? state), ['a']);
  const both = move(state, 2_500);
  const bytes = [...(both?.state.cells.values() ?? [])].map(({ value }) => isReference(value) && value.bytes);
  assert.deepEqual(bytes, [4_000, 6_000]);
});

test('what would not become smaller stays, and so does what has no UTF-8', () => {
  assert.equal(move(insert({ a: 'short', b: 1 }), 100), undefined);
  assert.equal(move(insert({ a: `${'a'.repeat(9_000)}\ud800` }), 1_000), undefined);
});

const text = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.integer({ min: 0, max: 200 }))
  .map(([part, times]) => part.repeat(times));
const row = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(text, fc.integer(), fc.constant(null)), {
  minKeys: 1,
});

test('what is moved out fits, refers to what is stored, and is the same row to the join', () => {
  fc.assert(
    fc.property(row, fc.integer({ min: 600, max: 4_000 }), (columns, limit) => {
      const state = insert(columns);
      if (sizeOf(state) <= limit) return;
      const moved = move(state, limit);
      if (moved === undefined) return;
      assert.ok(sizeOf(moved.state) <= limit);
      assert.deepEqual(moveOut(id, 'rows', state, sizeOf(state) - limit), moved);
      const texts = new Map(moved.values.map((value) => [value.name, value.text]));
      for (const [column, { value }] of moved.state.cells)
        assert.deepEqual(isReference(value) ? texts.get(value.$blob) : value, state.cells.get(column)?.value);
      const item: unknown = JSON.parse(JSON.stringify(toReplicaItem(id, purchases, moved.state, 60)));
      const stored = fromReplicaItem(item);
      assert.deepEqual(stored, moved.state);
      // A replay brings the texts, and there is nothing to write.
      assert.equal(join(stored, state), stored);
      assert.deepEqual(join(state, stored), stored);
    }),
  );
});
