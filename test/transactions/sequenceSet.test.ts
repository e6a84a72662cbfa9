import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeSequences, parseSequences } from '../../src/transactions/sequenceCode.ts';
import { SequenceSet } from '../../src/transactions/sequenceSet.ts';

const numbers = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 300 }),
);

const toSet = (set: SequenceSet): Set<number> => {
  const all = new Set<number>();
  for (const [from, to] of set.ranges) for (let n = from; n <= to; n += 1) all.add(n);
  return all;
};

const ascending = (some: readonly number[]): Set<number> => new Set(some.toSorted((x, y) => x - y));

test('it does what a set of numbers does', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [a, b] = [SequenceSet.ofNumbers(one), SequenceSet.ofNumbers(other)];
      const [setA, setB] = [new Set(one), new Set(other)];
      assert.deepEqual(toSet(a), ascending(one));
      assert.equal(a.size, setA.size);
      assert.equal(a.highest, Math.max(0, ...one));
      assert.deepEqual(toSet(a.union(b)), ascending([...one, ...other]));
      assert.deepEqual(toSet(a.without(b)), ascending(one.filter((n) => !setB.has(n))));
      assert.equal(a.gaps().size, Math.max(0, ...one) - setA.size);
      assert.ok(one.every((n) => !a.gaps().has(n)));
      const sorted = [...ascending(one)];
      for (const n of [...one, ...other, 0, 41]) {
        assert.equal(a.has(n), setA.has(n));
        assert.equal(a.placeOf(n), setA.has(n) ? sorted.indexOf(n) + 1 : undefined);
        assert.equal(
          a.nextFrom(n),
          sorted.find((other) => other >= n),
        );
      }
    }),
  );
});

test('equal sets have equal ranges, however they came about', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [a, b] = [SequenceSet.ofNumbers(one), SequenceSet.ofNumbers(other)];
      assert.deepEqual(a.union(b).ranges, SequenceSet.ofNumbers([...other, ...one]).ranges);
    }),
  );
});

test('its text is read back', () => {
  fc.assert(
    fc.property(numbers, (one) => {
      const set = SequenceSet.ofNumbers(one);
      assert.deepEqual(parseSequences(encodeSequences(set))?.ranges, set.ranges);
    }),
  );
});

test('runs are written as ranges, to be read by people', () => {
  assert.equal(encodeSequences(SequenceSet.empty), '');
  assert.equal(encodeSequences(SequenceSet.ofNumbers([7, 1, 2, 3])), '1-3,7');
});

test('numbers that alternate between tables take bits, not ranges', () => {
  const odd = SequenceSet.ofNumbers(Array.from({ length: 100_000 }, (_, n) => 2 * n + 1));
  const text = encodeSequences(odd);
  assert.match(text, /^1:/);
  assert.ok(text.length <= 200_000 / 6 + 10, `${text.length} characters`);
  assert.equal(parseSequences(text)?.size, 100_000);
});

test('text that is no set is none', () => {
  for (const text of ['a', '1-', '1,,2', '1:', undefined, 5, null])
    assert.equal(parseSequences(text), undefined);
});

test('a set of nothing but 0 has no gaps: the change that had arrived was reported as missing', () => {
  assert.equal(SequenceSet.ofNumbers([0]).gaps().size, 0);
});
