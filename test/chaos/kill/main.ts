import { Command } from 'commander';
import { defaultSimulationOptions } from '../../../local/simulation/options.ts';
import { wholeNumber } from '../../support/wholeNumber.ts';
import { runKilling } from './killing.ts';

const {
  messages: changes,
  every: milliseconds,
  seed,
} = new Command('npm run kill --')
  .description(
    'Kills the process again and again through a stream, and compares the replica with the source.',
  )
  .option('--messages <number>', 'changes of the source', wholeNumber(1), 40_000)
  .option('--every <milliseconds>', 'life of a process', wholeNumber(1), 700)
  .option('--seed <number>', 'everything random follows from it', wholeNumber(0), 1)
  .parse()
  .opts<{ readonly messages: number; readonly every: number; readonly seed: number }>();
/** After so many kills the process is spared: the run comes to an end on any machine. */
const MOST_KILLS = 500;
const SHOWN_EVERY = 10;
/** Small, so that some batches end within a life even where starting takes most of it. */
const BATCH_SIZE = 64;

const options = {
  ...defaultSimulationOptions,
  changes,
  seed,
  batchSize: BATCH_SIZE,
  encoding: 'mixed',
} as const;
console.log(`${changes} changes, seed ${seed}, killed every ${milliseconds} ms`);
const { problems, ...counts } = await runKilling(
  options,
  { kind: 'time', milliseconds },
  MOST_KILLS,
  (kills, done) => {
    if (kills % SHOWN_EVERY === 0) console.log(`${kills} kills, ${done} messages done`);
  },
);
console.table(counts);
for (const problem of problems) console.error(`  ${problem}`);
console.log(problems.length === 0 ? 'The replica equals the source.' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
