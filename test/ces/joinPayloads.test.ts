import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinBytes, joinJsonPayloads } from '../../src/ces/joinPayloads.ts';
import type { Payload } from '../../src/model/segment.ts';
import { assertDataError } from '../support/dataErrorOf.ts';

const text = (value: string): Payload => ({ kind: 'text', text: value });
const bytes = (...values: number[]): Payload => ({ kind: 'bytes', bytes: Buffer.from(values) });

test('text is joined as it is', () => {
  assert.equal(joinJsonPayloads([text('a'), text('漢'), text('')]), 'a漢');
  assert.equal(joinJsonPayloads([text('\ud83d'), text('\ude00')]), '\u{1f600}');
});

test('characters that stand for UTF-8 bytes are decoded, also when a cut falls inside a character', () => {
  assert.equal(joinJsonPayloads([text('caf\xc3\xa9')]), 'café');
  assert.equal(joinJsonPayloads([text('caf\xc3'), text('\xa9')]), 'café');
  assert.equal(joinJsonPayloads([text('\xf0\x9f'), text('\x98'), text('\x80')]), '\u{1f600}');
});

test('characters that stand for no UTF-8 are text', () => {
  assert.equal(joinJsonPayloads([text('café')]), 'café');
  assert.equal(joinJsonPayloads([text('\xa9\xc3')]), '\xa9\xc3');
  assert.equal(joinJsonPayloads([text('\xed\xa0\x80')]), '\xed\xa0\x80');
});

test('one character above U+00FF shows that all of it is text', () => {
  assert.equal(joinJsonPayloads([text('\xc3\xa9'), text('漢')]), '\xc3\xa9漢');
});

test('bytes are joined before they are decoded', () => {
  assert.equal(joinJsonPayloads([bytes(0x63, 0xc3), bytes(0xa9)]), 'cé');
  assert.equal(joinJsonPayloads([text('é漢'), bytes(0xc3), bytes(0xa9)]), 'é漢é');
});

test('joined bytes that are not UTF-8 are refused', () => {
  assertDataError(
    () => joinJsonPayloads([bytes(0x63), bytes(0xff)]),
    'invalid-utf8',
    /\(2 bytes\) is not UTF-8/,
  );
  assertDataError(() => joinJsonPayloads([bytes(0xc3)]), 'invalid-utf8', /joined data \(1 bytes\)/);
});

test('an object stands alone', () => {
  const object: Payload = { kind: 'object', value: { a: '1' } };
  assert.deepEqual(joinJsonPayloads([object]), { a: '1' });
  for (const payloads of [
    [object, text('x')],
    [text('x'), object],
    [bytes(1), object],
  ]) {
    assertDataError(() => joinJsonPayloads(payloads), 'invalid-data', /object in a split event/);
  }
  assertDataError(() => joinBytes([object]), 'invalid-data', /object in a split event/);
});

test('joining bytes gives all of them in order', () => {
  assert.deepEqual(joinBytes([bytes(1, 2), bytes(), bytes(3)]), Buffer.from([1, 2, 3]));
  assert.deepEqual(joinBytes([bytes(1), text('é')]), Buffer.from([1, 0xc3, 0xa9]));
});

test('any text survives being written as bytes, one character each, and cut anywhere', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(200)), (value, cuts) => {
      const written = Buffer.from(value, 'utf8').toString('latin1');
      const bounds = [
        0,
        ...cuts.map((cut) => Math.min(cut, written.length)).sort((a, b) => a - b),
        written.length,
      ];
      const parts = bounds.slice(1).map((end, index) => text(written.slice(bounds[index], end)));
      assert.equal(joinJsonPayloads(parts), value);
    }),
  );
});
