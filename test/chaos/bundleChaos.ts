import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * The app as `src/index.ts` starts it, but with a deadline shorter than the settings allow: what never answers
 * must not take minutes. The caller removes it when done.
 */
export async function bundleChaos(
  batchDeadlineSeconds: number,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const path = join(folder, 'app.cjs');
  await build({
    stdin: {
      contents: `import { createServices } from './createServices.ts';
import { registerReplicate } from './functions/replicate.ts';
import { readSettings } from './settings/readSettings.ts';
let services;
registerReplicate(() => services);
services = createServices({ ...readSettings(process.env), batchDeadlineSeconds: ${batchDeadlineSeconds} });`,
      resolveDir: join(import.meta.dirname, '..', '..', 'src'),
      loader: 'ts',
    },
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@azure/functions-core'],
    logLevel: 'silent',
  });
  return { path, remove: () => rm(folder, { recursive: true }) };
}
