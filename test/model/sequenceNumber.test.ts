import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSequenceNumber } from '../../src/model/sequenceNumber.ts';

test('it is padded to twenty digits', () => {
  assert.equal(parseSequenceNumber('1'), '00000000000000000001');
  assert.equal(parseSequenceNumber('0'), '00000000000000000000');
  assert.equal(parseSequenceNumber('99999999999999999999'), '99999999999999999999');
});

test('anything but one to twenty digits is none', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '1\n',
    '123456789012345678901',
    '\u0661',
  ]) {
    assert.equal(parseSequenceNumber(text), undefined, JSON.stringify(text));
  }
});

test('the order of the text is the order of the numbers', () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 20n - 1n });
  const textOf = (value: bigint): string => parseSequenceNumber(String(value)) ?? '';
  fc.assert(fc.property(number, number, (a, b) => assert.equal(textOf(a) < textOf(b), a < b)));
});
