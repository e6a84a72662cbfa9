import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AvroCursor } from '../../src/ces/avroCursor.ts';
import { avroArray, avroBytes, avroLong, avroText } from '../support/avroWriter.ts';

/** Stands behind what is skipped, to show where the cursor is. */
const HERE = 4711;
const items = ['a', '', 'bc', '漢'].map(avroText);
const skipText = (cursor: AvroCursor): void => cursor.skipTexts(1);

test('numbers are read as they were written', () => {
  const number = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger().map((value) => Math.trunc(value / 4) + 0),
    fc.constantFrom(0, -1, 1, 63, 64, -64, -65, 8191, 8192, 2 ** 31, -(2 ** 31)),
  );
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const cursor = new AvroCursor(Buffer.concat(numbers.map((value) => avroLong(value))));
      for (const value of numbers) assert.equal(cursor.readLong(), value);
      assert.ok(!cursor.failed);
    }),
  );
});

test('a number that is cut short, or longer than any can be, fails', () => {
  for (const bytes of [Buffer.alloc(0), avroLong(2 ** 40).subarray(0, -1), Buffer.alloc(11, 0x80)]) {
    const cursor = new AvroCursor(bytes);
    assert.equal(cursor.readLong(), 0);
    assert.ok(cursor.failed, bytes.toString('hex'));
  }
});

test('texts are skipped, and those that are no UTF-8 are noted', () => {
  for (const [text, invalid] of [
    [Buffer.from('漢 \u{1f600}'), false],
    [Buffer.alloc(0), false],
    [Buffer.from('\ufffd'), false],
    [Buffer.from([0x61, 0xff]), true],
    [Buffer.from([0xe6, 0xbc]), true],
    [Buffer.from([0xed, 0xa0, 0x80]), true],
  ] as const) {
    const cursor = new AvroCursor(Buffer.concat([avroBytes(text), avroText('x'), avroLong(HERE)]));
    cursor.skipTexts(2);
    assert.equal(cursor.readLong(), HERE);
    assert.deepEqual([cursor.failed, cursor.invalidText], [false, invalid], text.toString('hex'));
  }
});

test('a text that is longer than the bytes, or has a negative length, fails', () => {
  for (const bytes of [avroText('abc').subarray(0, -1), avroLong(-1), avroLong(2n ** 60n)]) {
    const cursor = new AvroCursor(bytes);
    cursor.skipTexts(1);
    assert.ok(cursor.failed, bytes.toString('hex'));
  }
});

for (const [what, form] of [
  ['one block', {}],
  ['a block an item', { blockItems: 1 }],
  ['blocks of three', { blockItems: 3 }],
  ['one block with its size', { sized: true }],
  ['blocks of two with their sizes', { blockItems: 2, sized: true }],
] as const) {
  test(`an array in ${what} is skipped, and cut short anywhere it fails`, () => {
    const array = avroArray(items, form);
    const cursor = new AvroCursor(Buffer.concat([array, avroLong(HERE)]));
    cursor.skipArray(skipText);
    assert.equal(cursor.readLong(), HERE);
    for (let end = 0; end < array.length; end += 1) {
      const short = new AvroCursor(array.subarray(0, end));
      short.skipArray(skipText);
      assert.ok(short.failed, `${end} bytes`);
    }
  });
}

for (const count of [
  2n ** 31n,
  2n ** 32n,
  2n ** 52n,
  2n ** 60n,
  2n ** 63n - 1n,
  -(2n ** 31n),
  -(2n ** 63n),
]) {
  test(`an array that announces ${count} items fails at the first that is not there`, () => {
    const start = Buffer.concat([avroLong(count), ...(count < 0 ? [avroLong(1)] : [])]);
    const second = Buffer.concat([avroLong(1), avroText('a'), start, avroText('b')]);
    for (const bytes of [start, Buffer.concat([start, avroText('a')]), second]) {
      let skipped = 0;
      const cursor = new AvroCursor(bytes);
      cursor.skipArray((at) => {
        skipped += 1;
        skipText(at);
      });
      assert.ok(cursor.failed);
      assert.ok(skipped <= 3, `${skipped} items`);
    }
  });
}
