import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NUMBERED_CHANGES, NUMBERED_TRANSACTIONS } from '../../src/limits.ts';
import { SequenceSet } from '../../src/transactions/sequenceSet.ts';
import type { Numbering } from '../../src/watermark/numbering.ts';
import { portionsOf } from '../../src/watermark/portions.ts';

const numbering = fc
  .record({
    from: fc.integer({ min: 0, max: 3 * NUMBERED_CHANGES }),
    arrived: fc
      .array(fc.tuple(fc.nat(5 * NUMBERED_CHANGES), fc.oneof(fc.nat(3), fc.nat(2 * NUMBERED_CHANGES))), {
        minLength: 1,
        maxLength: 4,
      })
      .map((ranges) => SequenceSet.of(ranges.map(([from, length]) => [from, from + length]))),
  })
  .map((numbers) => numbers as unknown as Numbering);

test('portions have every number that is left and that came, once, in order, and no more than a query may have', () => {
  fc.assert(
    fc.property(fc.array(numbering, { maxLength: 120 }), (numberings) => {
      const portions = [...portionsOf(numberings)];
      for (const { parts } of portions) {
        assert.ok(parts.length > 0 && parts.length <= NUMBERED_TRANSACTIONS);
        assert.ok(parts.reduce((sum, { from, to }) => sum + to - from + 1, 0) <= NUMBERED_CHANGES);
      }
      const parts = portions.flatMap((portion) => portion.parts);
      const left = numberings.filter(({ from, arrived }) => from <= arrived.highest);
      assert.deepEqual([...new Set(parts.map((part) => part.numbering))], [...new Set(left)]);
      for (const one of left) {
        const own = parts.filter((part) => part.numbering === one);
        assert.equal(own.at(-1)?.to, one.arrived.highest);
        let next = one.from;
        for (const { from, to } of own) {
          assert.ok(from <= to && one.arrived.has(from));
          assert.equal(from, one.arrived.nextFrom(next));
          next = to + 1;
        }
      }
    }),
  );
});

test('a transaction of which only a few of very many changes came takes a few portions', () => {
  const arrived = SequenceSet.ofNumbers([3, 2_500_000, 4_999_999]);
  const portions = [...portionsOf([{ from: 0, arrived } as unknown as Numbering])];
  assert.equal(portions.length, 3);
});
