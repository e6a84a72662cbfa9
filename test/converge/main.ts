import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
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

let next = first;
let done = 0;
let failed = 0;
const workers = Math.min(availableParallelism(), seeds);
await Promise.all(Array.from({ length: workers }, work));
console.log(`${done - failed} of ${seeds} histories converged, from seed ${first} on`);
process.exitCode = failed === 0 && done === seeds ? 0 : 1;

/** One process, which asks for seeds until there are none. */
function work(): Promise<void> {
  const worker = fork(new URL('worker.ts', import.meta.url));
  const give = (): void => {
    if (next < first + seeds) worker.send(next++);
    else worker.disconnect();
  };
  worker.on('message', (message) => {
    const result = message as WorkerResult | 'ready';
    if (result !== 'ready') count(result);
    give();
  });
  return new Promise((resolve) => worker.on('exit', () => resolve()));
}

export interface WorkerResult {
  readonly seed: number;
  readonly problems: Problems;
}

function count({ seed, problems }: WorkerResult): void {
  done += 1;
  if (problems.length > 0) {
    failed += 1;
    console.error(`seed ${seed} did not converge (npm run converge -- --first ${seed} --seeds 1):`);
    for (const problem of problems) console.error(`  ${problem}`);
  }
  if (done % 100 === 0) console.log(`${done} of ${seeds}`);
}
