import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH_BYTES, BATCH_LETTERS } from '../../../local/ops/limits.ts';
import type { Replayable } from '../../../local/ops/replayable.ts';
import { ReplayLane } from '../../../local/ops/replayLane.ts';

const letters = (count: number, bytes = 1): Replayable[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `a/b/${index}`,
    reason: 'b',
    message: { body: Buffer.alloc(bytes), source: {} },
    old: false,
  }));

async function batchesOf(...groups: readonly (readonly Replayable[])[]): Promise<number[]> {
  const sizes: number[] = [];
  const lane = new ReplayLane(async (batch) => {
    sizes.push(batch.length);
  });
  for (const group of groups) await lane.add(group);
  await lane.finish();
  await lane.finish();
  return sizes;
}

test('batches are full but never fuller', async () => {
  const single = letters(2 * BATCH_LETTERS + 1).map((letter) => [letter]);
  assert.deepEqual(await batchesOf(...single), [BATCH_LETTERS, BATCH_LETTERS, 1]);
  const large = letters(5, BATCH_BYTES / 2).map((letter) => [letter]);
  assert.deepEqual(await batchesOf(...large), [2, 2, 1]);
  assert.deepEqual(await batchesOf(), []);
});

test('what belongs together stays together, even when it is too much', async () => {
  assert.deepEqual(await batchesOf(letters(BATCH_LETTERS - 1), letters(2), letters(1)), [
    BATCH_LETTERS - 1,
    3,
  ]);
  assert.deepEqual(await batchesOf(letters(1), letters(BATCH_LETTERS + 5), letters(1)), [
    1,
    BATCH_LETTERS + 5,
    1,
  ]);
  assert.deepEqual(await batchesOf(letters(2, BATCH_BYTES), letters(1)), [2, 1]);
});
