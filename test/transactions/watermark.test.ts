import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_REMEMBERED_ENDS, MAX_WATERMARK_EXCEPTIONS } from '../../src/limits.ts';
import type { Commit } from '../../src/transactions/commit.ts';
import {
  advance,
  fromWatermarkItem,
  noWatermark,
  toWatermarkItem,
  type Watermark,
} from '../../src/transactions/watermark.ts';
import { commitAt } from '../support/commitAt.ts';

const at = (lsn: number): Commit => commitAt(lsn);
const ending = (n: number, deadLetters = {}) => ({ commit: at(n), time: `time ${n}`, deadLetters });

test('it moves to the newest end below what is open, and further when that has ended', () => {
  const held = advance(noWatermark, [ending(1), ending(2), ending(5)], at(4));
  assert.deepEqual([held.commit, held.time], [at(2), 'time 2']);
  const free = advance(held, [], undefined);
  assert.deepEqual([free.commit, free.time, free.ends], [at(5), 'time 5', []]);
});

test('it never goes back, and never to or above what holds it, whatever ends in whatever order', () => {
  const runs = fc.array(
    fc.record({
      ends: fc.array(fc.integer({ min: 1, max: 50 })),
      hold: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
  );
  fc.assert(
    fc.property(runs, (all) => {
      let watermark: Watermark = noWatermark;
      for (const { ends, hold } of all) {
        const limit = hold === null ? undefined : at(hold);
        const next = advance(
          watermark,
          ends.map((n) => ending(n)),
          limit,
        );
        if (next.commit !== watermark.commit) {
          assert.ok(next.commit !== undefined && next.commit > (watermark.commit ?? ''));
          if (limit !== undefined) assert.ok(next.commit < limit);
        }
        watermark = fromWatermarkItem(JSON.parse(JSON.stringify(toWatermarkItem('shop', next, 0, 1))));
        assert.deepEqual(watermark, next);
      }
      const newest = Math.max(0, ...all.flatMap(({ ends }) => ends));
      const { commit } = advance(watermark, [], undefined);
      assert.equal(commit, newest === 0 ? undefined : at(newest));
    }),
  );
});

test('dead letters below it are exceptions, those above are not yet; a replay takes them away', () => {
  const held = advance(noWatermark, [ending(1, { 'no-key': 2 }), ending(5, { 'no-row': 1 })], at(4));
  assert.deepEqual(toWatermarkItem('shop', held, 1, 1).exceptions, {
    dead_letters: 2,
    reasons: { 'no-key': 2 },
    transactions: { '00000000:00000000:0001': { 'no-key': 2 } },
  });
  const free = advance(held, [ending(1)], undefined);
  assert.deepEqual(toWatermarkItem('shop', free, 0, 1).exceptions.reasons, { 'no-row': 1 });
});

test('what is remembered is bounded, and nothing is lost of the counts or of the way', () => {
  const many = Array.from({ length: 3 * MAX_WATERMARK_EXCEPTIONS }, (_, n) => ending(n + 2, { 'no-key': 1 }));
  const held = advance(noWatermark, many, at(1));
  assert.ok(held.ends.length <= MAX_REMEMBERED_ENDS);
  assert.equal(held.exceptions.size, MAX_WATERMARK_EXCEPTIONS);
  const free = advance(held, [], undefined);
  assert.equal(free.commit, many.at(-1)?.commit);
  assert.equal(toWatermarkItem('shop', free, 0, 1).exceptions.dead_letters, many.length);
});

test('the item says where it is', () => {
  const { lsn, transaction, time, pkkey, open } = toWatermarkItem(
    'a b',
    advance(noWatermark, [ending(255)], undefined),
    3,
    1,
  );
  assert.deepEqual(
    [lsn, transaction, time, pkkey, open],
    [`${'0'.repeat(18)}FF`, '00000000:00000000:00ff', 'time 255', 'a~20b:watermark', 3],
  );
  assert.equal(toWatermarkItem('shop', noWatermark, 0, 1).lsn, null);
});
