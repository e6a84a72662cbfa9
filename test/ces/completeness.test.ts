import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Completeness, completenessOf } from '../../src/ces/completeness.ts';

/** `1 2 3!` are the indexes 1, 2 and 3, of which 3 is final. */
const segments = (text: string) =>
  text
    .split(' ')
    .flatMap((part) =>
      part === '' ? [] : [{ index: Number.parseInt(part, 10), final: part.endsWith('!') }],
    );

for (const [text, completeness] of [
  ['', 'incomplete'],
  ['0!', 'whole'],
  ['1!', 'whole-if-decodable'],
  ['2!', 'incomplete'],
  ['0', 'incomplete'],
  ['0 1', 'incomplete'],
  ['0 1!', 'whole'],
  ['1! 0', 'whole'],
  ['1 2!', 'whole-if-decodable'],
  ['2! 1', 'whole-if-decodable'],
  ['0 2!', 'incomplete'],
  ['2 3!', 'incomplete'],
  ['0 1 2 3!', 'whole'],
  ['3! 0 1', 'incomplete'],
  ['0! 1!', 'contradictory'],
  ['1! 2!', 'contradictory'],
  ['0! 1', 'contradictory'],
  ['5 3!', 'contradictory'],
  ['3! 4 0 1 2', 'contradictory'],
] satisfies [string, Completeness][]) {
  test(`segments ${text || 'none'} are ${completeness}`, () =>
    assert.equal(completenessOf(segments(text)), completeness));
}

test('only the set of segments counts, and only the whole set is whole', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, 1),
      fc.infiniteStream(fc.nat()),
      (total, base, random) => {
        const all = Array.from({ length: total }, (_, index) => ({
          index: base + index,
          final: index === total - 1,
        }));
        const shuffled = all
          .map((segment) => ({ segment, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ segment }) => segment);
        assert.equal(completenessOf(shuffled), base === 0 ? 'whole' : 'whole-if-decodable');
        for (const [missing] of shuffled.entries()) {
          const rest = shuffled.toSpliced(missing, 1);
          const lacksZeroOnly = base === 0 && shuffled[missing]?.index === 0 && total > 1;
          assert.equal(completenessOf(rest), lacksZeroOnly ? 'whole-if-decodable' : 'incomplete');
        }
      },
    ),
  );
});
