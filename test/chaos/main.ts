import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runSeeds } from '../support/seedWorkers.ts';
import type { ChaosCounts, ChaosResult } from './chaos.ts';

/**
 * `npm run chaos -- --runs 200 --first-seed 1`: runs schedules of faults on all cores, and says of every one that
 * fails how to run it again.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    'first-seed': { type: 'string', default: '1' },
  },
});
const seeds = Number(values.runs);
const first = Number(values['first-seed']);
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(first) || first < 0) {
  console.error('--runs takes a whole number from 1, --first-seed one from 0');
  process.exit(2);
}

/** A run waits most of its time, as told by the faults. */
const RUNS_PER_CORE = 2;
const SHOWN_EVERY = 20;

const sums = new Map<string, number>();
const add = (name: string, count: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + count);
};
let taken = 0;
let failed = 0;

function take(seed: number, { problems, counts }: Partial<ChaosResult>): void {
  taken += 1;
  if (problems === undefined || problems.length > 0) {
    failed += 1;
    console.error(`seed ${seed} failed (npm run chaos -- --runs 1 --first-seed ${seed}):`);
    console.error(`  faults ${JSON.stringify(counts?.faults)}`);
    for (const problem of problems ?? []) console.error(`  ${problem}`);
  }
  if (counts !== undefined) addCounts(counts);
  if (taken % SHOWN_EVERY === 0) console.log(`${taken} of ${seeds}`);
}

function addCounts({ faults, ...others }: ChaosCounts): void {
  for (const [name, count] of Object.entries(others)) add(name, count);
  for (const [name, count] of Object.entries(faults)) add(`fault: ${name}`, count);
}

console.log(`${seeds} schedules, seeds ${first} to ${first + seeds - 1}`);
const worker = new URL('worker.ts', import.meta.url);
const done = await runSeeds(worker, { first, seeds }, availableParallelism() * RUNS_PER_CORE, take);
console.table(Object.fromEntries([...sums].sort().map(([name, count]) => [name, { count }])));
console.log(`${done - failed} of ${seeds} schedules converged, from seed ${first} on`);
process.exitCode = failed === 0 && done === seeds ? 0 : 1;
