import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordBoundaries } from '../../src/telemetry/recordBoundaries.ts';
import { silentTelemetry } from '../../src/telemetry/silentTelemetry.ts';

test('the lag is the time since the oldest message began to wait; 0 when none does, or clocks differ', () => {
  const told: unknown[] = [];
  const telemetry = { ...silentTelemetry, set: (...figure: unknown[]) => told.push(figure) };
  const waitingSince = new Map([
    ['a', 4_000],
    ['b', undefined],
    ['c', 12_000],
  ]);
  recordBoundaries({ waitingSince }, 10_000, telemetry);
  assert.deepEqual(told, [
    ['replica.boundaries_lag', 6, { database: 'a' }],
    ['replica.boundaries_lag', 0, { database: 'b' }],
    ['replica.boundaries_lag', 0, { database: 'c' }],
  ]);
});
