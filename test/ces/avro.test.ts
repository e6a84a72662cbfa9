import assert from 'node:assert/strict';
import { test } from 'node:test';
import avsc from 'avsc';
import { type AvroType, decodeAvro, decodeAvroArray, replacedText } from '../../src/ces/avro.ts';
import { avroArray, avroLong, avroText } from '../support/avroWriter.ts';

const string: AvroType<string> = { type: avsc.Type.forSchema('string') };

test('a datum is decoded in place, and its end is told', () => {
  const bytes = Buffer.concat([Buffer.from([9, 9]), avroText('漢'), Buffer.from([9])]);
  assert.deepEqual(decodeAvro(string, bytes, 2), { value: '漢', end: 6 });
});

test('what ends early or has an impossible length is no datum', () => {
  for (const bytes of [
    Buffer.alloc(0),
    avroText('abc').subarray(0, 3),
    avroLong(-1),
    avroLong(2n ** 60n),
    Buffer.alloc(12, 0xff),
  ]) {
    assert.equal(decodeAvro(string, bytes, 0), undefined, bytes.toString('hex'));
  }
});

const items = ['a', '', 'bc', '漢'];
const written = items.map(avroText);

for (const [what, form] of [
  ['one block', {}],
  ['a block an item', { blockItems: 1 }],
  ['blocks of three', { blockItems: 3 }],
  ['one block with its size', { sized: true }],
  ['blocks of two with their sizes', { blockItems: 2, sized: true }],
] as const) {
  test(`an array in ${what} is read`, () => {
    const bytes = Buffer.concat([Buffer.from([7]), avroArray(written, form), Buffer.from([7])]);
    assert.deepEqual(decodeAvroArray(string, bytes, 1), { value: items, end: bytes.length - 1 });
    assert.deepEqual(
      avsc.Type.forSchema({ type: 'array', items: 'string' }).fromBuffer(bytes.subarray(1, -1)),
      items,
    );
  });
}

test('an empty array is read', () => {
  assert.deepEqual(decodeAvroArray(string, Buffer.from([0, 5]), 0), { value: [], end: 1 });
});

test('an array cut short anywhere is none', () => {
  for (const form of [{}, { blockItems: 1 }, { sized: true }]) {
    const bytes = avroArray(written, form);
    for (let end = 0; end < bytes.length; end += 1) {
      assert.equal(decodeAvroArray(string, bytes.subarray(0, end), 0), undefined, `${end} bytes`);
    }
  }
});

for (const count of [
  2n ** 31n,
  2n ** 32n,
  2n ** 52n,
  2n ** 60n,
  2n ** 63n - 1n,
  -(2n ** 31n),
  -(2n ** 63n),
]) {
  test(`an array that announces ${count} items takes no time and no room for them`, () => {
    const start = Buffer.concat([avroLong(count), ...(count < 0 ? [avroLong(1)] : [])]);
    assert.equal(decodeAvroArray(string, Buffer.concat([start, avroText('a')]), 0), undefined);
    const second = Buffer.concat([avroLong(1), avroText('a'), start, avroText('b')]);
    assert.equal(decodeAvroArray(string, second, 0), undefined);
  });
}

test('a replacement character that was sent is told from one that was put in for broken bytes', () => {
  assert.ok(!replacedText(['a', '漢'], Buffer.from('a漢')));
  assert.ok(!replacedText(['\ufffd'], Buffer.from('\ufffd')));
  assert.ok(!replacedText(['x\ufffdy\ufffd', '\ufffd'], Buffer.from('x\ufffdy\ufffd\ufffd')));
  assert.ok(replacedText(['\ufffd'], Buffer.from([0xff])));
  assert.ok(replacedText(['\ufffd\ufffd'], Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xc3])])));
});
