import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../src/ces/readMessage.ts';
import { type Segment, sameContent } from '../../src/model/segment.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 1);
const read = (attributes: Record<string, unknown>): Segment => readMessage(jsonMessage(event, attributes));

test('id, content type and white space of the envelope do not count', () => {
  const spaced = JSON.stringify(JSON.parse(jsonMessage(event, { id: 'another' }).toString()), null, 3);
  assert.ok(sameContent(read({}), readMessage(Buffer.from(spaced))));
  assert.ok(sameContent(read({}), read({ datacontenttype: 'application/avro-json' })));
});

test('the end, the operation and the data count', () => {
  for (const attributes of [
    { finalsegment: false },
    { operation: 'UPD' },
    { data: 'x' },
    { data: jsonData(event) },
  ]) {
    assert.ok(!sameContent(read({}), read(attributes)), JSON.stringify(attributes));
    assert.ok(!sameContent(read(attributes), read({})), JSON.stringify(attributes));
  }
});

test('bytes and objects are compared by content', () => {
  const base64 = (text: string): Segment =>
    read({ data: undefined, data_base64: Buffer.from(text).toString('base64') });
  assert.ok(sameContent(base64('a'), base64('a')));
  assert.ok(!sameContent(base64('a'), base64('b')));
  assert.ok(!sameContent(base64('a'), read({ data: 'a' })));
  assert.ok(sameContent(read({ data: { a: 1 } }), read({ data: { a: 1 } })));
  assert.ok(!sameContent(read({ data: { a: 1 } }), read({ data: { a: 2 } })));
});

test('the encoding counts', () => {
  const data = avroData(event);
  const avro = readMessage(avroMessage(event, data));
  assert.ok(sameContent(avro, readMessage(avroMessage(event, Buffer.from(data), { id: 'another' }))));
  assert.ok(!sameContent(avro, read({ data: undefined, data_base64: data.toString('base64') })));
});
