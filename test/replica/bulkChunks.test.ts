import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_BULK_BYTES, MAX_BULK_OPERATIONS, MAX_ITEM_BYTES } from '../../src/limits.ts';
import { bulkChunks } from '../../src/replica/bulkChunks.ts';

const sizes = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 5_000 }),
  fc.integer({ min: 1, max: MAX_ITEM_BYTES }),
  fc.constantFrom(MAX_BULK_BYTES - 1, MAX_BULK_BYTES, MAX_BULK_BYTES + 1),
);

const totalOf = (chunk: readonly { readonly bytes: number }[]) =>
  chunk.reduce((sum, { bytes }) => sum + bytes, 0);

test('chunks keep everything in order, fit, and are no more than needed', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 400, size: 'max' }), (list) => {
      const all = list.map((bytes, index) => ({ bytes, index }));
      const chunks = bulkChunks(all);
      assert.deepEqual(chunks.flat(), all);
      for (const chunk of chunks) {
        assert.ok(chunk.length > 0 && chunk.length <= MAX_BULK_OPERATIONS);
        assert.ok(chunk.length === 1 || totalOf(chunk) <= MAX_BULK_BYTES);
      }
      for (const [index, next] of chunks.slice(1).entries()) {
        const before = chunks[index] ?? [];
        const wouldFit =
          before.length < MAX_BULK_OPERATIONS && totalOf(before) + (next[0]?.bytes ?? 0) <= MAX_BULK_BYTES;
        assert.equal(wouldFit, false);
      }
    }),
  );
});

test('nothing makes no request', () => {
  assert.deepEqual(bulkChunks([]), []);
});

test('101 small operations are two requests', () => {
  const chunks = bulkChunks(Array.from({ length: 101 }, () => ({ bytes: 1 })));
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [100, 1],
  );
});

test('an item over the limit of a request goes alone', () => {
  const chunks = bulkChunks([1, MAX_BULK_BYTES + 1, 1].map((bytes) => ({ bytes })));
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [1, 1, 1],
  );
});
