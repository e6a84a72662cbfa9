import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSegments } from '../../src/steps/readSegments.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { debeziumCase } from '../support/debeziumMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

test('every message is read or named, in order, with the message it came in', () => {
  const messages = hubMessages([
    jsonMessage(insertEvent(1, 1)),
    Buffer.from('?'),
    avroMessage(insertEvent(2, 2)),
    Buffer.alloc(0),
  ]);
  const { segments, unreadable } = readSegments(messages);
  assert.deepEqual(
    segments.map(({ message, segment }) => [message, segment.encoding]),
    [
      [messages[0], 'json'],
      [messages[2], 'avro'],
    ],
  );
  assert.deepEqual(
    unreadable.map(({ message, error }) => [message, error.code]),
    [
      [messages[1], 'unknown-format'],
      [messages[3], 'empty-message'],
    ],
  );
});

test('an empty batch has nothing in it', () => {
  const nothing = { segments: [], events: [], boundaries: [], ignored: [], unreadable: [] };
  assert.deepEqual(readSegments([]), nothing);
});

test('what Debezium sends is told apart, whatever comes between', () => {
  const messages = hubMessages([
    debeziumCase('transaction-begin.json'),
    jsonMessage(insertEvent(1, 1)),
    debeziumCase('enriched-change.json'),
    debeziumCase('transaction-end.json'),
    Buffer.from('{"ts_ms":1}'),
  ]);
  const { segments, events, boundaries, ignored, unreadable } = readSegments(messages);
  assert.deepEqual([segments[0]?.message, segments.length], [messages[1], 1]);
  assert.deepEqual([events[0]?.message, events.length], [messages[2], 1]);
  assert.deepEqual(
    boundaries.map(({ status, eventCount }) => [status, eventCount]),
    [
      ['BEGIN', null],
      ['END', 2],
    ],
  );
  assert.deepEqual(ignored, [messages[0], messages[3], messages[4]]);
  assert.deepEqual(unreadable, []);
});

test('an empty body is a tombstone of Kafka Connect when it has a key', () => {
  const [bare, other] = hubMessages([Buffer.alloc(0), Buffer.alloc(0)]);
  assert.ok(bare && other);
  const keyed = { ...other, keyed: true as const };
  const { ignored, unreadable } = readSegments([bare, keyed]);
  assert.deepEqual(ignored, [keyed]);
  assert.deepEqual(
    unreadable.map(({ message, error }) => [message, error.code]),
    [[bare, 'empty-message']],
  );
});
