import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSimulationOptions, type SimulationOptions } from '../../../local/simulation/options.ts';
import { runKilling } from './killing.ts';

const options: SimulationOptions = {
  ...defaultSimulationOptions,
  encoding: 'mixed',
  generation: 'mixed',
  segmentBytes: 1_500,
  reorder: 0.5,
  partitions: 2,
};

test('a process killed at requests loses nothing', async () => {
  const most = 12;
  const { problems, kills } = await runKilling(
    { ...options, seed: 11, changes: 60, batchSize: 20 },
    { kind: 'request', most },
    12,
  );
  assert.deepEqual(problems, []);
  assert.ok(kills >= 5, `${kills} kills`);
});

test('a process killed by the clock loses nothing', async () => {
  const { problems, kills } = await runKilling(
    { ...options, seed: 12, changes: 900, batchSize: 40 },
    { kind: 'time', milliseconds: 150 },
    6,
  );
  assert.deepEqual(problems, []);
  assert.ok(kills >= 1, `${kills} kills`);
});
