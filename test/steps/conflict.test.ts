import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../src/ces/readMessage.ts';
import { conflict } from '../../src/steps/conflict.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

test('a conflict rejects the one segment, says which, and leaves what is parked', () => {
  const body = jsonMessage(insertEvent(1, 1), { segmentindex: 4, finalsegment: false });
  const [message] = hubMessages([body]);
  assert.ok(message !== undefined);
  const received = { segment: readMessage(body), message };
  const { segments, parked, error } = conflict(received);
  assert.equal(segments[0], received);
  assert.equal(parked, false);
  assert.deepEqual(
    [error.code, error.message],
    ['segment-conflict', 'segment 4 differs from the one that came first'],
  );
});
