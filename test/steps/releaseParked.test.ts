import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataError } from '../../src/errors/dataError.ts';
import { releaseParked } from '../../src/steps/releaseParked.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';
import { wholeEvents } from '../support/wholeEvents.ts';

const { signal } = new AbortController();
const [event] = wholeEvents([insertEvent(1, 1)]);
assert.ok(event !== undefined);
const [segment] = event.segments;
assert.ok(segment !== undefined);
const split = { ...event, segments: [segment, { ...segment, segment: { ...segment.segment, index: 1 } }] };

test('an applied event is noted before its segments are removed', async () => {
  const services = testServices();
  await releaseParked([{ ...split, parked: true }], [], services, signal);
  assert.deepEqual(
    services.parking.calls.map(({ name }) => name),
    ['markReleased', 'remove'],
  );
  assert.ok(services.recentEvents.has(event.change.position));
});

test('what never was in the parking costs no call; a split event is remembered, another is not', async () => {
  const services = testServices();
  await releaseParked([event], [{ ...event, error: new DataError('no-row', 'x') }], services, signal);
  assert.ok(!services.recentEvents.has(event.change.position));
  await releaseParked([split], [], services, signal);
  assert.ok(services.recentEvents.has(event.change.position));
  assert.deepEqual(services.parking.calls, []);
});

test('a rejected event is removed but not noted as applied', async () => {
  const services = testServices();
  await releaseParked(
    [],
    [{ ...split, parked: true, error: new DataError('no-row', 'x') }],
    services,
    signal,
  );
  assert.deepEqual(
    services.parking.calls.map(({ name }) => name),
    ['remove'],
  );
  assert.ok(!services.recentEvents.has(event.change.position));
});

test('an event is not remembered when releasing it fails', async () => {
  const services = testServices();
  services.parking.before = async () => {
    throw new RangeError('refused');
  };
  await assert.rejects(releaseParked([{ ...split, parked: true }], [], services, signal), RangeError);
  assert.ok(!services.recentEvents.has(event.change.position));
});
