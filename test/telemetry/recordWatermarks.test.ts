import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordWatermarks } from '../../src/telemetry/recordWatermarks.ts';
import { MemoryTelemetry } from '../support/memoryTelemetry.ts';

const quiet = { open: 0, lagSeconds: 0, late: 0, missing: 0 };

test('each database tells how far it is', () => {
  const telemetry = new MemoryTelemetry();
  recordWatermarks(
    [
      { db: 'shop', time: '2026-08-07T16:25:00.890Z', open: 3, lagSeconds: 4.5, late: 1, missing: 2 },
      { db: 'new', time: null, ...quiet },
      { db: 'odd', time: 'in the morning', ...quiet },
    ],
    telemetry,
  );
  assert.deepEqual(telemetry.sums, {
    'replica.late_changes{database=shop}': 1,
    'replica.missing_changes{database=shop}': 2,
  });
  assert.deepEqual(telemetry.measured, {
    'replica.watermark_time{database=shop}': [Date.UTC(2026, 7, 7, 16, 25, 0, 890) / 1000],
    'replica.watermark_lag{database=shop}': [4.5],
    'replica.open_transactions{database=shop}': [3],
    'replica.watermark_lag{database=new}': [0],
    'replica.open_transactions{database=new}': [0],
    'replica.watermark_lag{database=odd}': [0],
    'replica.open_transactions{database=odd}': [0],
  });
});
