import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../src/telemetry/metrics.ts';
import { silentTelemetry } from '../../src/telemetry/silentTelemetry.ts';

test('every metric has a name that queries can use, a unit and a meaning', () => {
  for (const [name, { unit, meaning }] of Object.entries(metrics)) {
    assert.match(name, /^replica\.[a-z]+(_[a-z]+)*$/);
    assert.match(unit, /^(s|\{[a-z_]+\})$/, name);
    assert.match(meaning, /^[A-Z].{15,}\.$/, name);
  }
});

test('silence runs the work of a span', async () => {
  assert.equal(await silentTelemetry.trace({ name: 'a', attributes: {} }, async () => 7), 7);
});
