import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldName } from '../../src/model/name.ts';

test('names that differ in case only are one name', () => {
  for (const [a, b] of [
    ['Email', 'EMAIL'],
    ['straße', 'STRASSE'],
    ['straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'οδοσ'],
    // Turkish collations have these pairs, others i and I.
    ['isim', 'İsim'],
    ['ısı', 'ISI'],
  ] as const)
    assert.equal(foldName(a), foldName(b), `${a} ${b}`);
});

test('other names are not', () => {
  for (const [a, b] of [
    ['e-mail', 'email'],
    ['prenom', 'prénom'],
    ['a', 'a '],
    ['', 'a'],
  ] as const)
    assert.notEqual(foldName(a), foldName(b), `${a} ${b}`);
});
