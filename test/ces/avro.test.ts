import assert from 'node:assert/strict';
import { test } from 'node:test';
import avsc from 'avsc';
import { type AvroType, decodeAvro, hasReplacedText } from '../../src/ces/avro.ts';
import { avroLong, avroText } from '../support/avroWriter.ts';

const stringType = avsc.Type.forSchema('string');
const string: AvroType<string> = { reader: stringType, resolver: stringType.createResolver(stringType) };

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

test('a replacement character that was sent is told from one that was put in for broken bytes', () => {
  assert.ok(!hasReplacedText(['a', '漢'], Buffer.from('a漢')));
  assert.ok(!hasReplacedText(['\ufffd'], Buffer.from('\ufffd')));
  assert.ok(!hasReplacedText(['x\ufffdy\ufffd', '\ufffd'], Buffer.from('x\ufffdy\ufffd\ufffd')));
  assert.ok(hasReplacedText(['\ufffd'], Buffer.from([0xff])));
  assert.ok(hasReplacedText(['\ufffd\ufffd'], Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xc3])])));
});
