import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLsn } from '../../src/model/lsn.ts';

test('both written forms, in either case, are one LSN', () => {
  for (const text of [
    '0000002C00000300017C',
    '0000002c00000300017c',
    '0000002C:00000300:017C',
    '0000002c:00000300:017c',
  ]) {
    assert.equal(parseLsn(text), '0000002C00000300017C');
  }
});

for (const text of [
  '',
  '0000002C00000300017',
  '0000002C00000300017CC',
  '0000002C:00000300017C',
  '0000002C00000300:017C',
  '0000002C:00000300:017C:',
  '000002C:000000300:017C',
  '0000002C:0000030G:017C',
  '0x00002C00000300017C',
  ' 0000002C00000300017C',
  '0000002C00000300017C\n',
]) {
  test(`${JSON.stringify(text)} is no LSN`, () => assert.equal(parseLsn(text), undefined));
}

test('the order of the text is the order of the log', () => {
  const position = fc.bigInt({ min: 0n, max: 2n ** 80n - 1n });
  const lsnOf = (value: bigint): string => parseLsn(value.toString(16).padStart(20, '0')) ?? '';
  fc.assert(fc.property(position, position, (a, b) => assert.equal(lsnOf(a) < lsnOf(b), a < b)));
});
