import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FunctionsHost } from '../local/host/functionsHost.ts';
import type { HubMessage } from '../local/hubMessage.ts';
import type { MemoryReport } from './memory.ts';

/** Hands messages, read from files, to the function, the n-th of each event in the n-th batch, and reports the memory that took. */
const [folder = '', count = '0', batches = '1'] = process.argv.slice(2);
const SAMPLE_EVERY_MS = 2;
const BYTES_PER_KB = 1024;
const bundle = new URL('../dist/index.cjs', import.meta.url).pathname;

const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
);
const host = await FunctionsHost.load({
  bundle,
  environment,
  log: ({ level, message }) => {
    if (level === 'error') console.error(message);
  },
});
const messages: HubMessage[] = [];
for (let index = 0; index < Number(count); index += 1) {
  messages.push({
    body: await readFile(join(folder, String(index))),
    partitionId: '0',
    sequenceNumber: index,
    offset: String(index),
    enqueuedTime: '2026-08-07T16:25:01.000Z',
    partitionKey: null,
  });
}

const before = process.memoryUsage.rss();
let heap = 0;
const sampler = setInterval(() => {
  heap = Math.max(heap, process.memoryUsage().heapUsed);
}, SAMPLE_EVERY_MS);
for (let batch = 0; batch < Number(batches); batch += 1) {
  const part = messages.filter(({ sequenceNumber }) => sequenceNumber % Number(batches) === batch);
  await host.invokeEventHub('replicate', { partitionId: '0', messages: part });
}
clearInterval(sampler);
const peak = process.resourceUsage().maxRSS * BYTES_PER_KB;
process.send?.({ before, peak, heap } satisfies MemoryReport);
await host.dispose();
process.disconnect();
