import { build, type Plugin } from 'esbuild';

/**
 * Bundles the app into dist/: index.cjs, and telemetry.cjs with the library for Application Insights, which index.cjs
 * loads only when it is asked to.
 */
const telemetryApart: Plugin = {
  name: 'telemetry-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/azureMonitor\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './telemetry.cjs', external: true } : undefined,
    );
  },
};

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
  sourcemap: true,
  logLevel: 'warning',
  plugins: [telemetryApart],
});
