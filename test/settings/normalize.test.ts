import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Normalization, normalizer } from '../../src/settings/normalize.ts';

type Case = readonly [ways: readonly Normalization[], a: string, b: string];

const GUID = '6F9619FF-8B86-D011-B42D-00C04FC964FF';

/** Texts that are one key. */
const equal: readonly Case[] = [
  [['ci'], 'Abc', 'aBC'],
  [['ci'], 'ÄÖÜ é', 'äöü É'],
  [['ci'], 'ΟΔΟΣ', 'οδοσ'],
  [['ci'], 'ПРИВЕТ', 'привет'],
  [['ci'], 'A漢😀', 'a漢😀'],
  [['rtrim'], 'a  ', 'a'],
  [['rtrim'], '   ', ''],
  [['rtrim', 'ci'], 'A ', 'a'],
  [['ci', 'rtrim'], 'A ', 'a'],
  [['guid'], GUID.toLowerCase(), GUID],
  [['guid'], `{${GUID.toLowerCase()}}`, GUID],
  [['rtrim', 'guid'], `${GUID.toLowerCase()}  `, GUID],
];

/** Texts that are two keys: at least in some collations, or in all. */
const distinct: readonly Case[] = [
  [[], 'a', 'A'],
  [[], 'a', 'a '],
  [['ci'], 'ß', 'ss'],
  [['ci'], 'ß', 'SS'],
  [['ci'], 'ẞ', 'ß'],
  [['ci'], 'ı', 'i'],
  [['ci'], 'İ', 'i'],
  [['ci'], 'İ', 'i\u0307'],
  [['ci'], 'ſ', 's'],
  [['ci'], '\u212a', 'k'],
  [['ci'], 'ﬁ', 'fi'],
  [['ci'], 'é', 'e\u0301'],
  [['ci'], 'é', 'e'],
  [['ci'], 'Ａ', 'A'],
  [['ci'], 'a ', 'a'],
  [['ci'], '\ud800', '\ud801'],
  [['rtrim'], ' a', 'a'],
  [['rtrim'], 'a\t', 'a'],
  [['rtrim'], 'a\u00a0', 'a'],
  [['rtrim'], 'A', 'a'],
  [['guid'], 'abc', 'ABC'],
  [['guid'], '{abc}', 'abc'],
  [['guid'], `{${GUID}`, GUID],
  [['guid'], `${GUID}0`, GUID],
];

describe('equal keys', () => {
  for (const [ways, a, b] of equal)
    test(`${ways.join()}: ${JSON.stringify(a)} is ${JSON.stringify(b)}`, () =>
      assert.equal(normalizer(ways)(a), normalizer(ways)(b)));
});

describe('distinct keys', () => {
  for (const [ways, a, b] of distinct)
    test(`${ways.join()}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`, () =>
      assert.notEqual(normalizer(ways)(a), normalizer(ways)(b)));
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...' aAßſİıσςΣﬁéÉ{}\ud83d\ude00'), maxLength: 6 }),
);
const everyWay = fc.constantFrom<readonly Normalization[]>(
  ['ci'],
  ['rtrim'],
  ['guid'],
  ['ci', 'rtrim', 'guid'],
);

test('what is normalised stays as it is', () => {
  fc.assert(
    fc.property(text, everyWay, (one, ways) => {
      const once = normalizer(ways)(one);
      assert.equal(normalizer(ways)(once), once);
    }),
    { numRuns: 2_000 },
  );
});

/** Letters that are each other's only other case, said in another way than the code does. */
function areCases(a: string, b: string): boolean {
  return (
    a === b ||
    (a.toLowerCase() === b && b.toUpperCase() === a) ||
    (b.toLowerCase() === a && a.toUpperCase() === b)
  );
}

test('ci makes equal only what has letters of other case in the same places', () => {
  const ways = fc.array(fc.constantFrom('same', 'upper', 'lower'), { minLength: 6, maxLength: 6 });
  const near = fc.tuple(text, ways).map(([one, chosen]) => {
    const other = [...one].map((letter, index) => {
      if (chosen[index] === 'upper') return letter.toUpperCase();
      return chosen[index] === 'lower' ? letter.toLowerCase() : letter;
    });
    return [one, other.join('')] as const;
  });
  const fold = normalizer(['ci']);
  let equals = 0;
  fc.assert(
    fc.property(near, ([one, other]) => {
      const [a, b] = [[...one], [...other]];
      const same = a.length === b.length && a.every((letter, index) => areCases(letter, b[index] ?? ''));
      assert.equal(fold(one) === fold(other), same, JSON.stringify([one, other]));
      if (same && one !== other) equals += 1;
    }),
    { numRuns: 3_000 },
  );
  assert.ok(equals > 100, `${equals}`);
});

// / +$/ starts again at each of the spaces, which takes minutes for these, and holds up a partition.
test('a million spaces take no time', () => {
  const spaces = ' '.repeat(1_000_000);
  assert.equal(normalizer(['rtrim'])(`${spaces}a${spaces}`), `${spaces}a`);
});
