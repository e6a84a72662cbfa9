import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { masker } from '../../src/settings/masks.ts';

test('hash is the HMAC-SHA256 of the text in hexadecimal digits, so that others can compute it', () => {
  for (const text of ['', 'Anna', 'Ænna 🌍'])
    assert.equal(
      masker('hash', 'salt')(text),
      createHmac('sha256', 'salt').update(text, 'utf8').digest('hex'),
    );
});

test('fixed does not depend on the value', () => {
  for (const text of ['', 'a', '***']) assert.equal(masker({ fixed: '***' }, '')(text), '***');
});

test('last shows as many characters, but never a whole value, and does not tell its length', () => {
  const last = masker({ last: 4 }, '');
  for (const [text, shown] of [
    ['4111111111111234', '****1234'],
    ['12345', '****2345'],
    ['1234', '****'],
    ['1', '****'],
    ['', '****'],
    ['a🌍🌍🌍🌍', '****🌍🌍🌍🌍'],
    ['🌍🌍🌍🌍', '****'],
  ] as const)
    assert.equal(last(text), shown);
});
