import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasher, masker } from '../../src/settings/masks.ts';

const salt = 'a salt of the tests';

test('a fixed mask shows nothing of the value', () => {
  const mask = masker({ fixed: '***' }, salt);
  assert.deepEqual(['', 'secret'].map(mask), ['***', '***']);
});

test('the last characters are shown only of a text that is longer', () => {
  const mask = masker({ last: 4 }, salt);
  assert.equal(mask('4111111111111111'), '****1111');
  for (const short of ['', '1', '1111']) assert.equal(mask(short), '****');
  assert.equal(mask('12345'), '****2345');
  assert.equal(masker({ last: 1 }, salt)('ab😀'), '****😀');
});

// RFC 4231, test case 2.
test('a hash is the HMAC-SHA256 of the text in UTF-8, so that others can make it', () => {
  assert.equal(
    masker('hash', 'Jefe')('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const bytes = Buffer.from('größe 漢 😀', 'utf8');
  assert.equal(hasher('key')('größe 漢 😀'), createHmac('sha256', 'key').update(bytes).digest('hex'));
});

test('another salt gives another hash', () => {
  assert.notEqual(hasher('one')('value'), hasher('two')('value'));
});

// As UTF-8 every half of a surrogate pair is one and the same replacement character: distinct keys had one id.
test('distinct texts have distinct hashes, halves of surrogate pairs too', () => {
  const unit = fc.constantFrom(
    '\ud800',
    '\ud801',
    '\udc00',
    '\udfff',
    '\ufffd',
    'a',
    '\u0600',
    '\0',
    '\u0080',
  );
  const text = fc.string({ unit, maxLength: 4 });
  const hash = hasher(salt);
  fc.assert(
    fc.property(text, text, (a, b) => assert.equal(hash(a) === hash(b), a === b)),
    { numRuns: 2_000 },
  );
});
