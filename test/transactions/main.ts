import { Command } from 'commander';
import { wholeNumber } from '../support/wholeNumber.ts';
import { simulate } from './simulation/simulate.ts';

const { seeds, first, late } = new Command('npm run transactions --')
  .description(
    'Runs simulated hubs through two instances, and names every seed whose counts or watermark are wrong.',
  )
  .option('--seeds <number>', 'histories', wholeNumber(1), 500)
  .option('--first <seed>', 'the first of them', wholeNumber(0), 1000)
  .option('--late', 'changes come after the end of their transactions', false)
  .parse()
  .opts<{ readonly seeds: number; readonly first: number; readonly late: boolean }>();

let failed = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const { problems } = await simulate(seed, !late);
  if (problems.length === 0) continue;
  failed += 1;
  const again = `npm run transactions -- --first ${seed} --seeds 1${late ? ' --late' : ''}`;
  console.error(`seed ${seed} is wrong (${again}):`);
  for (const problem of problems) console.error(`  ${problem}`);
}
console.log(
  `${seeds - failed} of ${seeds} histories have exact transactions and a true watermark, from seed ${first} on`,
);
process.exitCode = failed === 0 ? 0 : 1;
