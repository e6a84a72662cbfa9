import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { build } from 'esbuild';
import { temporaryFolder } from '../input/temporaryFolder.ts';

const SOURCE = `
const { app } = require('@azure/functions');
app.eventHub('replicate', {
  connection: 'EventHub',
  eventHubName: '%EVENT_HUB_NAME%',
  cardinality: 'many',
  dataType: 'binary',
  retry: { strategy: 'fixedDelay', maxRetryCount: -1, delayInterval: { seconds: 1 } },
  handler: () => { throw new Error('out of order'); },
});`;

/** A function app whose function fails with every batch: the path of its bundle. */
export async function failingApp(t: TestContext): Promise<string> {
  const outfile = join(await temporaryFolder(t), 'failing.cjs');
  await build({
    stdin: { contents: SOURCE, resolveDir: import.meta.dirname, loader: 'js' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@azure/functions-core'],
    logLevel: 'silent',
  });
  return outfile;
}
