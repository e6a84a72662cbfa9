import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARKED_EVENT_CONCURRENCY, PARKED_SEGMENT_CONCURRENCY } from '../../src/limits.ts';
import { assembleEvents } from '../../src/steps/assembleEvents.ts';
import { readSegments } from '../../src/steps/readSegments.ts';
import type { ReceivedSegment } from '../../src/steps/received.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const { signal } = new AbortController();

const received = (...bodies: readonly Buffer[]): readonly ReceivedSegment[] =>
  readSegments(hubMessages(bodies)).segments;

test('events keep their messages: alone, split, copied, contradicted, broken and waiting', async () => {
  const split = splitMessages(insertEvent(2, 2), { form: 'text', base: 0, cuts: [50] });
  const [first, second] = split;
  const [waiting] = splitMessages(insertEvent(3, 3), { form: 'text', base: 0, cuts: [50] });
  assert.ok(first && second && waiting);
  const segments = received(
    jsonMessage(insertEvent(1, 1)),
    second,
    waiting,
    first,
    first,
    jsonMessage(insertEvent(2, 2), { finalsegment: false, data: 'other' }),
    jsonMessage(insertEvent(4, 4), { data: '{}' }),
  );
  const messages = segments.map(({ message }) => message);
  const { events, rejected, parked, superseded } = await assembleEvents(segments, testServices(), signal);
  assert.deepEqual(
    events.map((event) => [
      event.change.key[0]?.value,
      event.segments.map(({ message }) => messages.indexOf(message)),
      event.parked,
    ]),
    [
      ['1', [0], false],
      ['2', [1, 3], false],
    ],
  );
  assert.deepEqual(
    rejected.map(({ error, segments: of }) => [
      error.code,
      of.map(({ message }) => messages.indexOf(message)),
    ]),
    [
      ['missing-attribute', [6]],
      ['segment-conflict', [5]],
    ],
  );
  assert.deepEqual([parked, superseded], [[messages[2]], [messages[4]]]);
});

test('no segments are no events', async () => {
  const services = testServices();
  assert.deepEqual(await assembleEvents([], services, signal), {
    events: [],
    rejected: [],
    parked: [],
    superseded: [],
    withheld: [],
  });
  assert.deepEqual(services.parking.calls, []);
});

test('the calls to the parking that are under way at once are bounded', async () => {
  const services = testServices();
  let underWay = 0;
  let most = 0;
  services.parking.before = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  const bodies = Array.from({ length: 30 }, (_, index) =>
    splitMessages(insertEvent(index, index + 1), {
      form: 'avro',
      base: 0,
      cuts: [10, 20, 30, 40, 50, 60, 70],
    }).slice(1),
  ).flat();
  const { parked } = await assembleEvents(received(...bodies), services, signal);
  assert.equal(parked.length, 30 * 7);
  assert.ok(most > 1 && most <= PARKED_EVENT_CONCURRENCY * PARKED_SEGMENT_CONCURRENCY, `${most} at once`);
});
