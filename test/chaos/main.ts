import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { runSeeds } from '../support/seedWorkers.ts';
import { wholeNumber } from '../support/wholeNumber.ts';
import type { ChaosCounts, ChaosResult } from './chaos.ts';

const { runs: seeds, firstSeed: first } = new Command('npm run chaos --')
  .description(
    'Runs schedules of faults, on all cores, and says of every one that fails how to run it again.',
  )
  .option('--runs <number>', 'schedules', wholeNumber(1), 200)
  .option('--first-seed <seed>', 'seed of the first', wholeNumber(0), 1)
  .parse()
  .opts<{ readonly runs: number; readonly firstSeed: number }>();

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
