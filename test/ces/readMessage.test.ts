import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../src/ces/readMessage.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { caseFile } from '../support/caseFile.ts';
import { assertDataError } from '../support/dataErrorOf.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 1);
const json = jsonMessage(event);

test('the bytes decide about the encoding, not datacontenttype', () => {
  assert.equal(
    readMessage(jsonMessage(event, { datacontenttype: 'application/avro-json' })).encoding,
    'json',
  );
  assert.equal(
    readMessage(jsonMessage(event, { datacontenttype: 'application/avro-binary' })).encoding,
    'json',
  );
  assert.equal(readMessage(jsonMessage(event, { datacontenttype: undefined })).encoding, 'json');
  const avro = avroMessage(event, avroData(event), { datacontenttype: 'application/json' });
  assert.equal(readMessage(avro).encoding, 'avro');
});

for (const [what, start] of [
  ['a byte order mark', '\ufeff'],
  ['white space', ' \t\r\n'],
  ['a byte order mark and white space', '\ufeff\n '],
] as const) {
  test(`JSON may follow ${what}`, () => {
    assert.deepEqual(readMessage(Buffer.concat([Buffer.from(start), json])), readMessage(json));
  });
}

test('JSON may be followed by white space', () => {
  assert.deepEqual(readMessage(Buffer.concat([json, Buffer.from(' \r\n\t')])), readMessage(json));
});

test('a message of no bytes is an empty message', () => {
  assertDataError(() => readMessage(Buffer.alloc(0)), 'empty-message', /no body/);
});

for (const [what, body, bytes] of [
  ['white space only', ' \n', '200A'],
  ['a byte order mark only', '\ufeff', 'EFBBBF'],
  ['a JSON array', '[{}]', '5B7B7D5D'],
  ['JSON text', '"{}"', '227B7D22'],
  ['null', 'null', '6E756C6C'],
  ['plain text', 'hello', '68656C6C'],
  ['an Avro container file', 'Obj\x01abc', '4F626A01'],
  ['a gzip file', '\x1f\x08\x08\x00', '1F080800'],
  ['the start of an Avro message, cut in its first text', '\x061.', '06312E'],
  ['white space before an Avro message', ' \x061.0', '2006312E'],
] as const) {
  test(`${what} is of an unknown format, and the error shows the first bytes`, () => {
    assertDataError(() => readMessage(Buffer.from(body)), 'unknown-format', new RegExp(`bytes ${bytes};`));
  });
}

test('UTF-16 is of an unknown format', () => {
  assertDataError(
    () => readMessage(Buffer.from(`\ufeff${json.toString()}`, 'utf16le')),
    'unknown-format',
    /FFFE7B00/,
  );
});

test('an Avro envelope is told by its first four bytes', () => {
  const segment = readMessage(avroMessage(event));
  assert.equal(segment.encoding, 'avro');
  assert.equal(segment.logicalId.text, event.logicalid);
});

test('bytes from a shared pool are read from their own place', () => {
  const body = caseFile('segment-generation-insert.json');
  const pool = Buffer.concat([Buffer.from('{"not": "ours"}'), body, Buffer.from('}}}')]);
  const view = pool.subarray(15, 15 + body.length);
  assert.deepEqual(readMessage(view), readMessage(body));
});
