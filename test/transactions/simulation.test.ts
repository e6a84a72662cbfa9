import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulation/simulate.ts';

const SEEDS = 36;
const LATE_SEEDS = 15;

const again = (seed: number, late: string): string =>
  `seed ${seed}; to run it again: npm run transactions -- --first ${seed} --seeds 1${late}`;

test(`the watermark of ${SEEDS} histories is never ahead, reaches the end, and all counts are exact`, async () => {
  const sum = { idle: 0, crashes: 0, moves: 0, storms: 0, sweeps: 0, replays: 0 };
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { problems, counts } = await simulate(seed);
    assert.deepEqual(problems, [], again(seed, ''));
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name] ?? 0;
  }
  // What is tested is there.
  for (const [name, count] of Object.entries(sum)) assert.ok(count > SEEDS, `${name}: ${count}`);
});

test(`counts are exact at the end of ${LATE_SEEDS} histories with changes that come after the end of theirs`, async () => {
  let late = 0;
  for (let seed = 1; seed <= LATE_SEEDS; seed += 1) {
    const { problems, counts } = await simulate(seed, false);
    assert.deepEqual(problems, [], again(seed, ' --late'));
    late += counts['late'] ?? 0;
  }
  assert.ok(late > LATE_SEEDS, `${late} late changes`);
});
