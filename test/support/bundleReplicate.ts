import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Services } from '../../src/services.ts';

/**
 * An app that has the function `replicate` and nothing else, bundled as the app is; it works with the services
 * given to {@link provideServices}. The caller removes it when done.
 */
export async function bundleReplicate(): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'replicate-'));
  const path = join(folder, 'app.cjs');
  await build({
    stdin: {
      contents: `import { registerReplicate } from './replicate.ts';
registerReplicate(() => globalThis.${PROPERTY}());`,
      resolveDir: join(import.meta.dirname, '..', '..', 'src', 'functions'),
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

export function provideServices(services: () => Services): void {
  Object.assign(globalThis, { [PROPERTY]: services });
}

const PROPERTY = 'servicesOfReplicate';
