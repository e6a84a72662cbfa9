import { parseArgs } from 'node:util';
import { simulate } from './simulation/simulate.ts';

/** `npm run transactions -- --seeds 1000 --first 1 --late`: runs histories and names every seed that fails. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    first: { type: 'string', default: '1000' },
    late: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.first);
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(first) || first < 0) {
  console.error('--seeds takes a whole number from 1, --first one from 0');
  process.exit(2);
}

let failed = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const { problems } = await simulate(seed, !values.late);
  if (problems.length === 0) continue;
  failed += 1;
  const again = `npm run transactions -- --first ${seed} --seeds 1${values.late ? ' --late' : ''}`;
  console.error(`seed ${seed} is wrong (${again}):`);
  for (const problem of problems) console.error(`  ${problem}`);
}
console.log(
  `${seeds - failed} of ${seeds} histories have exact transactions and a true watermark, from seed ${first} on`,
);
process.exitCode = failed === 0 ? 0 : 1;
