import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGE_MARGIN_S } from '../../../local/ops/limits.ts';
import { isOld, replayable } from '../../../local/ops/replayable.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { insertEvent } from '../../support/testEvent.ts';

const limits = { now: Date.parse('2026-08-20T00:00:00Z'), tombstoneSeconds: 8 * 24 * 60 * 60 };
const YOUNG = '2026-08-15T00:00:00Z';
const OLD = '2026-08-11T23:59:59Z';

const letter = (body: Buffer, enqueuedTime?: string) => ({
  name: '2026-08-15/no-key/0-1-ab',
  day: '2026-08-15',
  reason: 'no-key',
  source: { partition: '0', ...(enqueuedTime !== undefined && { enqueuedTime }) },
  bytes: body.length,
  body,
});

test('a message is old from an hour before tombstones made when it came have gone', () => {
  const edge = limits.now - (limits.tombstoneSeconds - AGE_MARGIN_S) * 1000;
  assert.equal(isOld(new Date(edge).toISOString(), limits), true);
  assert.equal(isOld(new Date(edge + 1).toISOString(), limits), false);
});

test('a message of unknown age is old', () => {
  for (const time of [undefined, '', 'yesterday']) assert.equal(isOld(time, limits), true);
});

test('the age is that of enqueuing, else of the commit', () => {
  const young = jsonMessage(insertEvent(1, 1, { time: YOUNG }));
  const old = jsonMessage(insertEvent(1, 1, { time: OLD }));
  for (const [body, enqueued, expected] of [
    [young, OLD, true],
    [old, YOUNG, false],
    [young, undefined, false],
    [old, undefined, true],
    [jsonMessage(insertEvent(1, 1), { time: undefined }), undefined, true],
    [Buffer.from('{'), undefined, true],
    [Buffer.from('{'), YOUNG, false],
  ] as const) {
    assert.equal(replayable(letter(body, enqueued), limits).old, expected);
  }
});

test('a segment names its event, a whole message does not', () => {
  const event = insertEvent(1, 1);
  const splitEvent = (attributes: Readonly<Record<string, unknown>>) =>
    replayable(letter(jsonMessage(event, attributes)), limits).splitEvent?.text;
  assert.equal(splitEvent({}), undefined);
  assert.equal(splitEvent({ finalsegment: false }), event.logicalid);
  assert.equal(splitEvent({ segmentindex: 1 }), event.logicalid);
  assert.equal(replayable(letter(Buffer.from('{')), limits).splitEvent, undefined);
});
