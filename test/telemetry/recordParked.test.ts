import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordParked } from '../../src/telemetry/recordParked.ts';
import { MemoryTelemetry } from '../support/memoryTelemetry.ts';

test('the number of parked groups and the age of the oldest', () => {
  const telemetry = new MemoryTelemetry();
  recordParked({ groups: 3, oldestSeconds: 90 }, telemetry);
  assert.deepEqual(telemetry.measured, { 'replica.parked_groups': [3], 'replica.parked_oldest_age': [90] });
  recordParked({ groups: 0, oldestSeconds: 0 }, telemetry);
  assert.deepEqual(telemetry.measured, { 'replica.parked_groups': [0], 'replica.parked_oldest_age': [0] });
});
