import { execSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { isCurrent, stampOf } from './build/stamp.ts';

// Most commands build first, and mostly nothing has changed.
const stamp = stampOf('.');
if (isCurrent('dist', stamp)) process.exit(0);
rmSync('dist/.stamp', { force: true });

/** Keeps the telemetry library in a file of its own, which the app loads only when it is asked to report. */
const telemetryApart: Plugin = {
  name: 'telemetry-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/azureMonitor\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './telemetry.cjs', external: true } : undefined,
    );
  },
};

/**
 * Takes one copy of each version of the OpenTelemetry packages. npm nests the same version under every package that
 * cannot use the one at the top, and they all would be loaded.
 */
const oneCopy: Plugin = {
  name: 'one-copy',
  setup: ({ onResolve, resolve }) => {
    const first = new Map<string, string>();
    onResolve({ filter: /^@opentelemetry\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolving') return undefined;
      const found = await resolve(path, { ...from, pluginData: 'resolving' });
      const parts = /^(.*\/node_modules\/@opentelemetry\/[^/]+)\/(.*)$/.exec(found.path);
      if (parts === null) return found;
      const [, folder, file] = parts;
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const copy = `${name}@${version}/${file}`;
      const chosen = first.get(copy) ?? found.path;
      first.set(copy, chosen);
      return { ...found, path: chosen };
    });
  },
};

/** Characters of a line of the bundles. */
const LONGEST_LINE = 200;

await build({
  entryPoints: { index: 'src/index.ts', telemetry: 'src/telemetry/azureMonitor.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  // The worker provides it.
  external: ['@azure/functions-core'],
  // Both files are uploaded. Without the white space they are two thirds of the size; names stay as they are, for
  // stack traces, and lines stay short enough for the places in them to lead somewhere.
  minifyWhitespace: true,
  lineLimit: LONGEST_LINE,
  sourcemap: true,
  logLevel: 'warning',
  plugins: [telemetryApart, oneCopy],
});

// What readers of the replica import, with its types.
await build({
  entryPoints: ['src/reader.ts'],
  outdir: 'dist/reader',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  logLevel: 'warning',
});
// npm has put it into the path.
execSync('tsc --project tsconfig.reader.json', { stdio: 'inherit' });

writeFileSync('dist/.stamp', stamp);
