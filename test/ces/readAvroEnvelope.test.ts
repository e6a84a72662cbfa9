import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAvroEnvelope } from '../../src/ces/readAvroEnvelope.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import { type AvroAttributes, avroData, avroMessage } from '../support/avroMessage.ts';
import { assertDataError } from '../support/dataErrorOf.ts';
import { insertEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 1);
const data = avroData(event);
const read = (attributes: Partial<AvroAttributes>) => readAvroEnvelope(avroMessage(event, data, attributes));

test('the attributes become a segment', () => {
  const segment = read({ segmentindex: 4, finalsegment: false, operation: 'UPD' });
  assert.equal(segment.logicalId.text, event.logicalid);
  assert.deepEqual(
    { ...segment, logicalId: undefined },
    {
      logicalId: undefined,
      operation: 'UPD',
      time: '2026-08-07T16:25:00.890Z',
      index: 4,
      final: false,
      encoding: 'avro',
      payload: { kind: 'bytes', bytes: data },
    },
  );
});

test('an empty time is null', () => assert.equal(read({ time: '' }).time, null));

test('an upper-case GUID and a lower-case LSN have the canonical form', () => {
  const [group = '', lsn = '', sequence = ''] = event.logicalid.split(':');
  const mixed = `${group.toUpperCase()}:${lsn.toLowerCase()}:${sequence}`;
  assert.equal(read({ logicalid: mixed }).logicalId.text, event.logicalid);
});

for (const [attributes, code, text] of [
  [{ type: 'other' }, 'unknown-type', /type is "other"/],
  [{ operation: 'X' }, 'unknown-operation', /operation is "X"/],
  [{ logicalid: '' }, 'invalid-logical-id', /logicalid is ""/],
  [{ segmentindex: -1 }, 'invalid-segment', /segmentindex is -1/],
  [{ segmentindex: 100_000 }, 'invalid-segment', /segmentindex is 100000/],
] satisfies [Partial<AvroAttributes>, ReasonCode, RegExp][]) {
  test(`${JSON.stringify(attributes)} is ${code}`, () => assertDataError(() => read(attributes), code, text));
}

test('bytes behind the envelope are refused and counted', () => {
  const body = avroMessage(event, data);
  for (const trailing of [1, 17]) {
    assertDataError(
      () => readAvroEnvelope(Buffer.concat([body, Buffer.alloc(trailing)])),
      'invalid-avro',
      new RegExp(`^${trailing} bytes follow the envelope of ${body.length} bytes$`),
    );
  }
});

test('an envelope cut short is refused with its length', () => {
  const body = avroMessage(event, data).subarray(0, -1);
  const text = new RegExp(`^the envelope is cut short \\(${body.length} bytes\\)$`);
  assertDataError(() => readAvroEnvelope(body), 'invalid-avro', text);
});

test('bytes that were decoded as text on the way are recognised, and the error says what to do', () => {
  const mangled = Buffer.from(avroMessage(event, Buffer.alloc(200, 0xe9)).toString('utf8'), 'utf8');
  assertDataError(() => readAvroEnvelope(mangled), 'invalid-avro', /EF BF BD: .*dataType binary/);
});

test('a replacement character that was sent in data is not taken for broken bytes', () => {
  const segment = readAvroEnvelope(avroMessage(event, Buffer.from('\ufffd')));
  assert.deepEqual(segment.payload, { kind: 'bytes', bytes: Buffer.from('\ufffd') });
});

test('a time that is not UTF-8 is refused', () => {
  const body = avroMessage(event, data);
  body[body.indexOf('2026-08') + 2] = 0xff;
  assertDataError(() => readAvroEnvelope(body), 'invalid-utf8', /^time in the envelope is not UTF-8$/);
});
