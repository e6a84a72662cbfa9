import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSegments } from '../../src/steps/readSegments.ts';
import { avroMessage } from '../support/avroMessage.ts';
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
  assert.deepEqual(readSegments([]), { segments: [], unreadable: [] });
});
