import { parseArgs } from 'node:util';
import { defaultSimulationOptions } from '../../../local/simulation/options.ts';
import { runKilling } from './killing.ts';

/** `npm run kill -- --messages 40000 --every 700 --seed 1`: kills the process again and again, and compares. */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '40000' },
    every: { type: 'string', default: '700' },
    seed: { type: 'string', default: '1' },
  },
});
const changes = Number(values.messages);
const milliseconds = Number(values.every);
const seed = Number(values.seed);
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
