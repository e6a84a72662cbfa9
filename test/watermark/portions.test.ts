import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NUMBERED_CHANGES, NUMBERED_TRANSACTIONS } from '../../src/limits.ts';
import type { Numbering } from '../../src/watermark/numbering.ts';
import { portionsOf } from '../../src/watermark/portions.ts';

const numbering = fc
  .record({
    from: fc.integer({ min: 0, max: 3 * NUMBERED_CHANGES }),
    highest: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 * NUMBERED_CHANGES })),
  })
  .map((numbers) => numbers as Numbering);

test('portions have every number that is left, once, in order, and no more than a query may have', () => {
  fc.assert(
    fc.property(fc.array(numbering, { maxLength: 120 }), (numberings) => {
      const portions = [...portionsOf(numberings)];
      for (const { parts } of portions) {
        assert.ok(parts.length > 0 && parts.length <= NUMBERED_TRANSACTIONS);
        assert.ok(parts.reduce((sum, { from, to }) => sum + to - from + 1, 0) <= NUMBERED_CHANGES);
      }
      const parts = portions.flatMap((portion) => portion.parts);
      const left = numberings.filter(({ from, highest }) => from <= highest);
      assert.deepEqual([...new Set(parts.map((part) => part.numbering))], [...new Set(left)]);
      for (const one of left) {
        const own = parts.filter((part) => part.numbering === one);
        assert.deepEqual([own[0]?.from, own.at(-1)?.to], [one.from, one.highest]);
        for (const [index, { from, to }] of own.entries()) {
          assert.ok(from <= to);
          if (index > 0) assert.equal(from, (own[index - 1]?.to ?? 0) + 1);
        }
      }
    }),
  );
});
