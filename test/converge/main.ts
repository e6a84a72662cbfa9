import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runSeeds } from '../support/seedWorkers.ts';
import type { Problems } from './convergence.ts';

/** `npm run converge -- --seeds 1000 --first 1`: runs histories on all cores and names every seed that fails. */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1000' } },
});
const seeds = Number(values.seeds);
const first = Number(values.first);
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(first) || first < 0) {
  console.error('--seeds takes a whole number from 1, --first one from 0');
  process.exit(2);
}

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
