import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LetterFilter, namePrefix, passes } from '../../src/deadletter/letterFilter.ts';
import { storedLetter } from '../../src/deadletter/storedLetter.ts';

const letter = storedLetter('2026-08-07/no-key/3-4711-ab', {
  metadata: { table: 'shop.dbo.Gr%C3%B6%C3%9Fe' },
});
const given = { day: '2026-08-07', code: 'no-key', table: 'shop.dbo.Größe' };

test('a letter passes when all that is given fits', () => {
  const names = ['day', 'code', 'table'] as const;
  for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
    const filter: LetterFilter = Object.fromEntries(
      names.filter((_, bit) => (chosen & (1 << bit)) !== 0).map((name) => [name, given[name]]),
    );
    assert.ok(passes(letter, filter));
    assert.ok(letter.name.startsWith(namePrefix(filter)));
    for (const name of Object.keys(filter)) assert.ok(!passes(letter, { ...filter, [name]: 'other' }));
  }
});

test('a letter whose table is not known is of none', () => {
  assert.ok(!passes(storedLetter(letter.name, {}), { table: given.table }));
});
