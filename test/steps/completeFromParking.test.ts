import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutageError } from '../../src/errors/outageError.ts';
import { MAX_EVENT_BYTES, PARKED_LOOKUPS } from '../../src/limits.ts';
import type { Parking } from '../../src/parking/parking.ts';
import { completeFromParking } from '../../src/steps/completeFromParking.ts';
import { readSegments } from '../../src/steps/readSegments.ts';
import type { ReceivedSegment } from '../../src/steps/received.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const { signal } = new AbortController();
const event = insertEvent(1, 1);
const [s0, s1, s2] = readSegments(
  hubMessages(splitMessages(event, { form: 'avro', base: 0, cuts: [40, 80] })),
).segments as [ReceivedSegment, ReceivedSegment, ReceivedSegment];
const names = (services: ReturnType<typeof testServices>) => services.parking.calls.map(({ name }) => name);

test('an incomplete event costs one call to park and one to look', async () => {
  const services = testServices();
  const { parked, rejected } = await completeFromParking([s1], services, signal);
  assert.deepEqual([parked, rejected], [[s1.message], []]);
  assert.deepEqual(names(services), ['park', 'list']);
});

test('the event that becomes whole has all its segments, and they lie in the parking', async () => {
  const services = testServices();
  await completeFromParking([s2, s0], services, signal);
  const { events, parked } = await completeFromParking([s1], services, signal);
  assert.equal(parked, undefined);
  assert.deepEqual(
    events?.map((whole) => [whole.segments.map(({ segment }) => segment.index).sort(), whole.parked]),
    [[[0, 1, 2], true]],
  );
  assert.deepEqual(names(services).slice(3), ['park', 'list', 'fetch', 'fetch']);
});

test('what was just parked counts even when the list lags behind', async () => {
  const services = testServices();
  const { parking } = services;
  await completeFromParking([s0, s1], services, signal);
  const lagging = withCalls(parking, {
    list: async () => ({
      segments: [
        { index: 0, final: false, bytes: 9 },
        { index: 1, final: false, bytes: 9 },
      ],
      released: false,
    }),
  });
  const { events } = await completeFromParking([s2], { ...services, parking: lagging }, signal);
  assert.equal(events?.length, 1);
});

test('an event that is too large to be fetched is left to the sweep, which does not hold it either', async () => {
  const services = testServices();
  services.parking.bytesOf = () => MAX_EVENT_BYTES / 3 + 1;
  await completeFromParking([s0, s1], services, signal);
  const { parked, events } = await completeFromParking([s2], services, signal);
  assert.deepEqual([parked, events], [[s2.message], undefined]);
  assert.ok(!names(services).includes('fetch'));
});

test('an event this instance has finished costs no call', async () => {
  const services = testServices();
  services.recentEvents.add(s0.segment.logicalId);
  const { superseded } = await completeFromParking([s0, s1], services, signal);
  assert.deepEqual(superseded, [s0.message, s1.message]);
  assert.deepEqual(services.parking.calls, []);
});

test('segments that stay in the list but cannot be fetched are looked up a bounded number of times', async () => {
  const services = testServices();
  const { parking } = services;
  await completeFromParking([s0, s1], services, signal);
  let lists = 0;
  const vanishing = withCalls(parking, {
    list: async (of) => {
      lists += 1;
      return parking.list(of);
    },
    fetch: async () => undefined,
  });
  const { parked } = await completeFromParking([s2], { ...services, parking: vanishing }, signal);
  assert.deepEqual([parked, lists], [[s2.message], PARKED_LOOKUPS]);
});

test('no segments are nothing to do', async () => {
  const services = testServices();
  assert.deepEqual(await completeFromParking([], services, signal), { superseded: [] });
  assert.deepEqual(services.parking.calls, []);
});

/** The parking with some of its calls replaced. */
function withCalls(parking: Parking, calls: Partial<Parking>): Parking {
  return {
    park: (...call) => parking.park(...call),
    list: (...call) => parking.list(...call),
    fetch: (...call) => parking.fetch(...call),
    markReleased: (...call) => parking.markReleased(...call),
    remove: (...call) => parking.remove(...call),
    forgetReleased: (...call) => parking.forgetReleased(...call),
    groups: (...call) => parking.groups(...call),
    ...calls,
  };
}

// A container that is just being deleted answers 409 as well: the segment counted as parked, and was nowhere.
test('a segment that is refused although its place is empty is parked again', async () => {
  const services = testServices();
  let refusals = 1;
  const park: Parking['park'] = async (segment, message) => {
    refusals -= 1;
    return refusals < 0 && services.parking.park(segment, message);
  };
  const refusing = withCalls(services.parking, { park });
  const { parked } = await completeFromParking([s1], { ...services, parking: refusing }, signal);
  assert.deepEqual(parked, [s1.message]);
  assert.equal(services.parking.parked().length, 1);
});

test('a segment that is always refused although its place is empty fails the batch', async () => {
  const services = testServices();
  const refusing = withCalls(services.parking, { park: async () => false });
  await assert.rejects(
    completeFromParking([s1], { ...services, parking: refusing }, signal),
    (error) => error instanceof OutageError && /none is in its place/.test(error.message),
  );
});
