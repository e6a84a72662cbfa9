import { Command, Option } from 'commander';
import { benchDecode } from './decode.ts';
import { benchEndToEnd } from './endToEnd.ts';
import { benchMemory, encodings } from './memory.ts';
import { benchStartUp } from './startUp.ts';
import { benchTracking } from './tracking.ts';

const values = new Command('npm run bench --')
  .description('Compares the app with what is less than it, in one run; only the ratios mean something.')
  .option('--json', 'print one JSON object', false)
  .option('--memory', 'peak memory with batches of the largest messages, instead of speed', false)
  .addOption(new Option('--encoding <name>', 'only this one, with --memory').choices(encodings))
  .parse()
  .opts<{ readonly json: boolean; readonly memory: boolean; readonly encoding?: string }>();

if (values.memory) {
  const results = await benchMemory(encodings.filter((one) => (values.encoding ?? one) === one));
  if (values.json) console.log(JSON.stringify(results));
  else {
    console.log('Memory: one batch of 100 messages of 1 MB, in a worker of an instance of 2 GB');
    console.table(
      results.map(({ what, batchMb, beforeMb, peakMb, heapMb, fits }) => ({
        batch: what,
        'batch MB': batchMb,
        'before MB': beforeMb,
        'peak MB': peakMb,
        'heap MB': heapMb,
        fits,
      })),
    );
  }
  process.exit(results.every(({ fits }) => fits) ? 0 : 1);
}

const decode = await benchDecode();
const endToEnd = await benchEndToEnd();
const tracking = await benchTracking();
const startUp = await benchStartUp();

if (values.json) {
  console.log(JSON.stringify({ decode, endToEnd, tracking, startUp }));
} else {
  console.log('Decode: bytes to change, as a share of the speed of the bare parsers (1 = as fast)');
  console.table(
    decode.map((result) => ({
      against: result.what,
      'µs per message': round(result.microsecondsPerMessage),
      'of floor': round(result.ofFloor),
    })),
  );
  console.log('End to end: this function against parse-and-upsert per event, one server, batches of 300');
  console.table(
    endToEnd.map((result) => ({
      work: result.what,
      'events/s': Math.round(result.eventsPerSecond),
      'sample events/s': Math.round(result.sampleEventsPerSecond),
      'times sample': round(result.timesSample),
      'requests/event': round(result.requestsPerEvent),
      'sample requests/event': round(result.sampleRequestsPerEvent),
    })),
  );
  console.log('Tracking of transactions: requests to Cosmos DB for batches of 300 inserts, counted');
  console.table(tracking);
  console.log('Start-up: loading the app in a fresh process (1 = as published)');
  console.table(
    startUp.map((result) => ({
      what: result.what,
      ms: Math.round(result.milliseconds),
      'times published': round(result.timesPublished),
      MB: round(result.megabytes),
      files: result.files,
    })),
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
