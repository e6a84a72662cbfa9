import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Services } from '../../src/services.ts';

/**
 * An app that has the function `replicate` and nothing else, bundled as the app is; it works with the services
 * given to {@link provideServices}. The caller removes it when done.
 */
export function bundleReplicate(): Promise<{ path: string; remove: () => Promise<void> }> {
  return bundleFunctions(['replicate']);
}

/** The same with functions of your choice, by the names of their files. */
export async function bundleFunctions(
  names: readonly ('replicate' | 'sweep')[],
): Promise<{ path: string; remove: () => Promise<void> }> {
  const registrations = names.map((name) => {
    const register = `register${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return `import { ${register} } from './${name}.ts';
${register}(() => globalThis.${PROPERTY}());`;
  });
  const folder = await mkdtemp(join(tmpdir(), 'replicate-'));
  const path = join(folder, 'app.cjs');
  await build({
    stdin: {
      contents: registrations.join('\n'),
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
