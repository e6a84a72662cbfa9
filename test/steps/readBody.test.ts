import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDebeziumOptions } from '../../src/debezium/debeziumOptions.ts';
import { type ReadBody, readBody } from '../../src/steps/readBody.ts';
import { avroMessage } from '../support/avroMessage.ts';

import { assertDataError } from '../support/dataErrorOf.ts';
import { debeziumCase } from '../support/debeziumMessage.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const read = (body: Buffer): ReadBody => readBody(body, defaultDebeziumOptions);
const change = debeziumCase('enriched-change.json');

test('every body tells for itself what it is', () => {
  assert.equal(read(jsonMessage(insertEvent(1, 1))).kind, 'segment');
  assert.equal(read(avroMessage(insertEvent(1, 1))).kind, 'segment');
  assert.equal(read(change).kind, 'change');
  assert.equal(read(debeziumCase('transaction-begin.json')).kind, 'boundary');
});

test('a change of Debezium is told by what it has, not by what comes first or before it', () => {
  const { op, source, ...rest } = JSON.parse(change.toString());
  for (const body of [
    Buffer.from(JSON.stringify({ source, ...rest, op })),
    Buffer.from(JSON.stringify({ note: 'x', ...rest, op, source })),
    Buffer.from(`\ufeff\n ${change.toString()}`),
  ])
    assert.equal(read(body).kind, 'change');
});

test('what starts as a message of Debezium can be one of CES', () => {
  const message = JSON.parse(jsonMessage(insertEvent(1, 1)).toString());
  assert.equal(read(Buffer.from(JSON.stringify({ status: 'BEGIN', ...message }))).kind, 'segment');
});

test('what is neither fails as it does for CES', () => {
  for (const [body, code] of [
    ['{"specversion":"1.0"}', 'missing-attribute'],
    ['{"op":"c","after":{}}', 'missing-attribute'],
    ['hello', 'unknown-format'],
    ['{', 'invalid-json'],
    ['{"before":', 'invalid-json'],
    ['', 'empty-message'],
  ] as const)
    assertDataError(() => read(Buffer.from(body)), code, /./);
  assertDataError(() => read(jsonMessage(insertEvent(1, 1), { type: 'a.b' })), 'unknown-type', /"a\.b"/);
});
