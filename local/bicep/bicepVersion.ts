import { spawnSync } from 'node:child_process';

/** The version of a Bicep CLI as its numbers; none when the program does not say it. */
export function bicepVersion(file: string): readonly number[] {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: VERSION_TIMEOUT_MS });
  const version = /version (\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '');
  return version === null ? [] : version.slice(1).map(Number);
}

/** The oldest version that is known to work, and the one that is restored from NuGet. */
export const OLDEST_BICEP = [0, 49, 2] as const;

const VERSION_TIMEOUT_MS = 30_000;
