import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { runSeeds } from '../support/seedWorkers.ts';
import { wholeNumber } from '../support/wholeNumber.ts';
import type { Problems } from './convergence.ts';

const { seeds, first } = new Command('npm run converge --')
  .description(
    'Runs random histories through two instances, on all cores, and names every seed that does not converge.',
  )
  .option('--seeds <number>', 'histories', wholeNumber(1), 1000)
  .option('--first <seed>', 'the first of them', wholeNumber(0), 1000)
  .parse()
  .opts<{ readonly seeds: number; readonly first: number }>();

let taken = 0;
let failed = 0;
const worker = new URL('worker.ts', import.meta.url);
const done = await runSeeds<Problems>(worker, { first, seeds }, availableParallelism(), (seed, problems) => {
  taken += 1;
  if (problems.length > 0) {
    failed += 1;
    console.error(`seed ${seed} did not converge (npm run converge -- --first ${seed} --seeds 1):`);
    for (const problem of problems) console.error(`  ${problem}`);
  }
  if (taken % 100 === 0) console.log(`${taken} of ${seeds}`);
});
console.log(`${done - failed} of ${seeds} histories converged, from seed ${first} on`);
process.exitCode = failed === 0 && done === seeds ? 0 : 1;
