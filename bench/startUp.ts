import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { stagePackage } from '../local/package/stagePackage.ts';
import { folderSize, type Size } from './folderSize.ts';
import { median } from './rounds.ts';
import { unbundledApp } from './unbundledApp.ts';

export interface StartUpResult {
  readonly what: string;
  readonly milliseconds: number;
  /** Time as a multiple of what the app takes as it is published, with or without a connection string as this one. */
  readonly timesPublished: number;
  /** Of all that is there to be loaded from. */
  readonly megabytes: number;
  readonly files: number;
}

interface Contender {
  readonly what: string;
  /** Loaded one after the other. */
  readonly files: readonly string[];
  readonly size: Size;
}

const ROUNDS = 5;
const root = new URL('..', import.meta.url).pathname;

/**
 * Loads the app in fresh processes, in turns: as it is published, with the SDKs in node_modules instead, and with the
 * library for telemetry left out or in the same file.
 */
export async function benchStartUp(): Promise<readonly StartUpResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'start-up-'));
  try {
    const groups = await prepare(folder);
    for (const contender of groups.flat()) loadTime(contender);
    const rounds = Array.from({ length: ROUNDS }, () => groups.map((group) => group.map(loadTime)));
    return groups.flatMap((group, groupIndex) =>
      group.map(({ what, size }, index) => {
        const times = rounds.map((round) => round[groupIndex] ?? []);
        return {
          what,
          milliseconds: median(times.map((row) => row[index] ?? Number.NaN)),
          timesPublished: median(times.map((row) => (row[index] ?? Number.NaN) / (row[0] ?? Number.NaN))),
          megabytes: size.bytes / 1e6,
          files: size.files,
        };
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Two groups, without a connection string and with one; the first of each is the app as it is published. */
async function prepare(folder: string): Promise<readonly (readonly Contender[])[]> {
  const published = join(folder, 'published');
  await stagePackage(root, published);
  const app = join(published, 'dist/index.cjs');
  const library = join(published, 'dist/telemetry.cjs');
  const size = await folderSize(published);
  const unbundled = await unbundledApp(root, join(folder, 'unbundled'));
  const bare = await bundleApp(join(folder, 'bare'), true);
  const single = await bundleApp(join(folder, 'single'), false);
  return [
    [
      { what: 'as published', files: [app], size },
      { what: 'SDKs from node_modules', files: [unbundled.app], size: unbundled.size },
      { what: 'no telemetry in the code', files: [bare], size: await folderSize(dirname(bare)) },
      { what: 'telemetry in the same file', files: [single], size: await folderSize(dirname(single)) },
    ],
    [
      { what: 'connection string, as published', files: [app, library], size },
      {
        what: 'connection string, SDKs from node_modules',
        files: [unbundled.app, unbundled.telemetry],
        size: unbundled.size,
      },
    ],
  ];
}

/** The app as one file. @param bare leave the library out, which nothing may then ask for. */
async function bundleApp(folder: string, bare: boolean): Promise<string> {
  const outfile = join(folder, 'index.cjs');
  const empty = `${folder}.cjs`;
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
    minifyWhitespace: true,
    lineLimit: 200,
    ...(bare && {
      alias: { applicationinsights: empty, '@opentelemetry/api': empty, '@opentelemetry/api-logs': empty },
      logOverride: { 'import-is-undefined': 'silent' },
    }),
  });
  return outfile;
}

/** Milliseconds that a fresh process takes to load the files, with settings that let the app start. */
function loadTime({ files }: Contender): number {
  const script = `(async () => {
    console.warn = () => {};
    const started = performance.now();
    for (const file of ${JSON.stringify(files)}) {
      if (file.endsWith('.cjs')) require(file);
      else await import(file);
    }
    process.stdout.write(String(performance.now() - started));
    process.exit();
  })()`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], {
    env: { ...settings, PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the app does not load: ${stderr}`);
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
