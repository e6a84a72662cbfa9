import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MISSED_RUNS_MS } from '../../src/limits.ts';
import { OutageMemory } from '../../src/transactions/outageMemory.ts';

test('an outage is over with the first run that goes well after too long a time', () => {
  const outages = new OutageMemory();
  // The first of a process tells nothing: another process can have had those before it.
  assert.equal(outages.runs(1_000_000), 0);
  assert.equal(outages.runs(1_000_000 + MISSED_RUNS_MS - 1), 0);
  const over = 1_000_000 + 2 * MISSED_RUNS_MS - 1;
  assert.equal(outages.runs(over), over);
  assert.equal(outages.runs(over + 30_000), over);
});
