import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { median } from './rounds.ts';

export interface StartUpResult {
  readonly what: string;
  readonly milliseconds: number;
  /** Time as a multiple of the app's without the telemetry library. */
  readonly timesPlain: number;
  readonly megabytes: number;
}

const ROUNDS = 11;
const root = new URL('..', import.meta.url).pathname;

/**
 * Loads bundles in fresh processes, in turns: the app without a connection string, as it is and as it would be with
 * the library in the same file or without any; and the app's library for telemetry, which a connection string adds.
 */
export async function benchStartUp(): Promise<readonly StartUpResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'start-up-'));
  try {
    const contenders = [
      { what: 'the app, no telemetry in the code', files: [await bundleApp(folder, 'plain', true)] },
      { what: 'the app, no connection string', files: [join(root, 'dist/index.cjs')] },
      { what: 'the same, library in the same file', files: [await bundleApp(folder, 'single', false)] },
      {
        what: 'the app, with a connection string',
        files: [join(root, 'dist/index.cjs'), join(root, 'dist/telemetry.cjs')],
      },
    ];
    const times = contenders.map((): number[] => []);
    for (const { files } of contenders) loadTime(files);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, { files }] of contenders.entries()) times[index]?.push(loadTime(files));
    return await Promise.all(
      contenders.map(async ({ what, files }, index) => ({
        what,
        milliseconds: median(times[index] ?? []),
        timesPlain: median((times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? time))),
        megabytes: (await sizeOf(files)) / 1e6,
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The app as one file. @param bare leave the library out, which nothing may then ask for. */
async function bundleApp(folder: string, name: string, bare: boolean): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  const empty = join(folder, 'empty.cjs');
  await writeFile(empty, '');
  await build({
    entryPoints: [join(root, 'src/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['@azure/functions-core'],
    logLevel: 'error',
    ...(bare && {
      alias: { applicationinsights: empty, '@opentelemetry/api': empty, '@opentelemetry/api-logs': empty },
      logOverride: { 'import-is-undefined': 'silent' },
    }),
  });
  return outfile;
}

/** Milliseconds that a fresh process takes to load the files, with settings that let the app start. */
function loadTime(files: readonly string[]): number {
  const script = `
    console.warn = () => {};
    const started = performance.now();
    for (const file of ${JSON.stringify(files)}) require(file);
    process.stdout.write(String(performance.now() - started));
    process.exit();`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], {
    env: { ...settings, PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a bundle does not load: ${stderr}`);
  return Number(stdout);
}

const settings = {
  EVENT_HUB_NAME: 'ces',
  EVENT_HUB_CONSUMER_GROUP: 'replica',
  EventHub: 'Endpoint=sb://localhost',
  COSMOS_ENDPOINT: 'http://127.0.0.1:8081',
  COSMOS_KEY: 'a2V5',
  BLOB_CONNECTION_STRING: 'UseDevelopmentStorage=true',
};

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
