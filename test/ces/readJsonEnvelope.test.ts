import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonEnvelope } from '../../src/ces/readJsonEnvelope.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import type { Segment } from '../../src/model/segment.ts';
import { assertDataError, dataErrorOf } from '../support/dataErrorOf.ts';
import { jsonData, jsonEnvelope, jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 1);
const read = (attributes: Record<string, unknown>): Segment =>
  readJsonEnvelope(jsonMessage(event, attributes));
/** Segment fields of the older generation instead of the newer. */
const split = (splitindex: unknown, splittotalcnt: unknown): Record<string, unknown> => ({
  segmentindex: undefined,
  finalsegment: undefined,
  splitindex,
  splittotalcnt,
});

for (const [what, attributes, index, final] of [
  ['segmentindex 0, final', { segmentindex: 0, finalsegment: true }, 0, true],
  ['segmentindex 1, final', { segmentindex: 1, finalsegment: true }, 1, true],
  ['segmentindex 3, not final', { segmentindex: 3, finalsegment: false }, 3, false],
  ['segmentindex 99999', { segmentindex: 99_999, finalsegment: false }, 99_999, false],
  ['splitindex 0 of 0: not split', split(0, 0), 0, true],
  ['splitindex 0 of 1: not split', split(0, 1), 0, true],
  ['splitindex 0 of 3', split(0, 3), 0, false],
  ['splitindex 1 of 3', split(1, 3), 1, false],
  ['splitindex 2 of 3, the last', split(2, 3), 2, true],
  ['both generations: the newer decides', { splitindex: 5, splittotalcnt: 9 }, 0, true],
] as const) {
  test(`${what} gives index ${index}, final ${final}`, () => {
    const segment = read(attributes);
    assert.deepEqual([segment.index, segment.final], [index, final]);
  });
}

for (const [what, attributes, code, text] of [
  ['no segment fields', split(undefined, undefined), 'missing-attribute', /segmentindex.*splitindex/],
  ['no finalsegment', { finalsegment: undefined }, 'missing-attribute', /envelope has no finalsegment/],
  ['no segmentindex', { segmentindex: undefined }, 'missing-attribute', /envelope has no segmentindex/],
  ['no splittotalcnt', split(0, undefined), 'missing-attribute', /has no splittotalcnt/],
  ['no splitindex', split(undefined, 2), 'missing-attribute', /has no splitindex/],
  ['segmentindex as text', { segmentindex: '0' }, 'wrong-type', /segmentindex is a string/],
  ['segmentindex null', { segmentindex: null }, 'wrong-type', /segmentindex is null/],
  ['finalsegment as text', { finalsegment: 'true' }, 'wrong-type', /finalsegment is a string/],
  ['finalsegment as a number', { finalsegment: 1 }, 'wrong-type', /finalsegment is a number/],
  ['segmentindex -1', { segmentindex: -1 }, 'invalid-segment', /segmentindex is -1.*0 to 99999/],
  ['segmentindex 1.5', { segmentindex: 1.5 }, 'invalid-segment', /segmentindex is 1\.5/],
  ['segmentindex 100000', { segmentindex: 100_000 }, 'invalid-segment', /segmentindex is 100000/],
  ['splitindex 3 of 3', split(3, 3), 'invalid-segment', /splitindex is 3 although splittotalcnt is 3/],
  ['splitindex 1 of 0', split(1, 0), 'invalid-segment', /splitindex is 1 although splittotalcnt is 0/],
  ['splitindex 1 of 1', split(1, 1), 'invalid-segment', /splitindex is 1 although splittotalcnt is 1/],
  ['splittotalcnt -2', split(0, -2), 'invalid-segment', /splittotalcnt is -2/],
  ['data as a number', { data: 5 }, 'wrong-type', /data is a number, expected text or an object/],
  ['data as an array', { data: [] }, 'wrong-type', /data is an array/],
  ['data null and no data_base64', { data: null }, 'wrong-type', /data is null/],
  ['no data', { data: undefined }, 'missing-attribute', /envelope has no data/],
  [
    'data_base64 that is none',
    { data: undefined, data_base64: '?' },
    'invalid-data',
    /data_base64 is not base64/,
  ],
  ['data_base64 cut short', { data: undefined, data_base64: 'AAAAA' }, 'invalid-data', /data_base64 is not/],
  [
    'data_base64 as a number',
    { data: undefined, data_base64: 1 },
    'wrong-type',
    /data_base64 in the envelope/,
  ],
  ['time as a number', { time: 5 }, 'wrong-type', /time in the envelope is a number/],
  ['datacontenttype as a number', { datacontenttype: 5 }, 'wrong-type', /datacontenttype in the envelope/],
  [
    'a foreign type',
    { type: 'com.example.Ping' },
    'unknown-type',
    /type is "com\.example\.Ping", expected "com/,
  ],
  [
    'an unknown operation',
    { operation: 'MRG' },
    'unknown-operation',
    /operation is "MRG", expected INS, UPD, DEL/,
  ],
  ['an operation in lower case', { operation: 'ins' }, 'unknown-operation', /operation is "ins"/],
  [
    'a logicalid of two parts',
    { logicalid: 'a:b' },
    'invalid-logical-id',
    /logicalid is "a:b", expected <GUID>/,
  ],
] satisfies [string, Record<string, unknown>, ReasonCode, RegExp][]) {
  test(`${what} is ${code}`, () => assertDataError(() => read(attributes), code, text));
}

for (const attribute of ['specversion', 'type', 'source', 'id', 'logicalid', 'operation']) {
  test(`an envelope without ${attribute}, or with another JSON type, is named`, () => {
    const name = new RegExp(`the envelope has no ${attribute}$`);
    assertDataError(() => read({ [attribute]: undefined }), 'missing-attribute', name);
    for (const value of [null, 5, true, {}, []]) {
      const text = new RegExp(`^${attribute} in the envelope is .*, expected text$`);
      assertDataError(() => read({ [attribute]: value }), 'wrong-type', text);
    }
  });
}

test('a missing or null time is null', () => {
  assert.equal(read({ time: undefined }).time, null);
  assert.equal(read({ time: null }).time, null);
});

test('the logical id has one form, whatever the case on the wire', () => {
  const upper = read({ logicalid: event.logicalid.toUpperCase() });
  const lower = read({ logicalid: event.logicalid.toLowerCase() });
  assert.deepEqual(upper.logicalId, lower.logicalId);
  assert.equal(upper.logicalId.text, event.logicalid);
});

test('escaped slashes are slashes', () => {
  const text = jsonMessage(event, { datacontenttype: 'application/json' }).toString().replaceAll('/', '\\/');
  assert.match(text, /"source":"\\\/"/);
  assert.deepEqual(readJsonEnvelope(Buffer.from(text)), read({}));
});

test('data can be text, an object, or bytes in data_base64', () => {
  const data = jsonData(event);
  const text = JSON.stringify(data);
  assert.deepEqual(read({ data: text }).payload, { kind: 'text', text });
  const base64 = Buffer.from(text).toString('base64');
  for (const [kept, written] of [
    [undefined, base64],
    [null, base64],
    [undefined, base64.replace(/=+$/, '')],
  ]) {
    const { payload } = read({ data: kept, data_base64: written });
    assert.deepEqual(payload, { kind: 'bytes', bytes: Buffer.from(text) });
  }
  const { payload } = read({ data });
  assert.equal(payload.kind, 'object');
});

test('numbers in data that is an object keep their digits', () => {
  const body = JSON.stringify(jsonEnvelope(event, { data: {} })).replace(
    '"data":{}',
    '"data":{"big":9007199254740993,"price":10.50,"exp":1E400,"minus":-0.0,"deep":[{"n":1.10}]}',
  );
  const { payload } = readJsonEnvelope(Buffer.from(body));
  assert.deepEqual(payload, {
    kind: 'object',
    value: { big: '9007199254740993', price: '10.50', exp: '1E400', minus: '-0.0', deep: [{ n: '1.10' }] },
  });
});

test('a body that is not UTF-8 is read as bytes; only the joined event has to be UTF-8', () => {
  const body = Buffer.from(jsonMessage(event, { data: 'caf\xc3' }).toString('utf8'), 'latin1');
  assert.deepEqual(readJsonEnvelope(body).payload, {
    kind: 'bytes',
    bytes: Buffer.from([0x63, 0x61, 0x66, 0xc3]),
  });
});

test('bytes that are not UTF-8 beside an escaped character above U+00FF are refused', () => {
  const text = jsonMessage(event, { data: 'caf\xc3HERE' }).toString('utf8').replace('HERE', '\\u6f22');
  assertDataError(() => readJsonEnvelope(Buffer.from(text, 'latin1')), 'invalid-utf8', /data mixes bytes/);
});

test('bytes that are not UTF-8 in an object are refused', () => {
  const text = jsonMessage(event, { data: { a: '\xc3' } }).toString('utf8');
  assertDataError(() => readJsonEnvelope(Buffer.from(text, 'latin1')), 'invalid-utf8', /body is not UTF-8/);
});

test('an object nested deeper than the engine can walk is a data error, not a crash', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const body = JSON.stringify(jsonEnvelope(event, { data: {} })).replace('"data":{}', `"data":{"a":${deep}}`);
  assertDataError(
    () => readJsonEnvelope(Buffer.from(body)),
    'invalid-json',
    /the envelope is nested too deep/,
  );
});

test('long foreign values are cut in the error', () => {
  const { message } = dataErrorOf(() => read({ type: 'x'.repeat(5000) }));
  assert.ok(message.length < 300, `${message.length} characters`);
});

test('the envelope must be one JSON object', () => {
  const body = jsonMessage(event);
  for (const trailing of ['x', '{}', ',', '\0', '}']) {
    const text = /the envelope is not JSON at position \d+ \(\d+ characters\)/;
    assertDataError(
      () => readJsonEnvelope(Buffer.concat([body, Buffer.from(trailing)])),
      'invalid-json',
      text,
    );
  }
});

test('data_base64 is checked in time that grows with its length, whatever it holds', () => {
  for (const base64 of ['='.repeat(1_000_000), `${'='.repeat(1_000_000)}x`, `${'A'.repeat(1_000_001)}`]) {
    const message = jsonMessage(insertEvent(1, 1), { data: undefined, data_base64: base64 });
    assert.equal(dataErrorOf(() => readJsonEnvelope(message)).code, 'invalid-data');
  }
});
