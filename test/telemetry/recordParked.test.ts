import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordParked } from '../../src/telemetry/recordParked.ts';
import { MemoryTelemetry } from '../support/memoryTelemetry.ts';

test('the number of parked groups and the age of the oldest', () => {
  const telemetry = new MemoryTelemetry();
  recordParked({ groups: 3, oldest: new Date(1_000) }, telemetry, 91_000);
  assert.deepEqual(telemetry.measured, { 'replica.parked_groups': [3], 'replica.parked_oldest_age': [90] });
  recordParked({ groups: 1, oldest: new Date(1_000) }, telemetry, 0);
  assert.deepEqual(telemetry.measured['replica.parked_oldest_age'], [0]);
  recordParked({ groups: 0, oldest: undefined }, telemetry);
  assert.deepEqual(telemetry.measured, { 'replica.parked_groups': [0], 'replica.parked_oldest_age': [0] });
});
