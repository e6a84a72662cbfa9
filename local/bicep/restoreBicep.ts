import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, isExecutable, isWindows } from '../run/findProgram.ts';
import { UserError } from '../run/userError.ts';
import { OLDEST_BICEP } from './bicepVersion.ts';

/**
 * Brings the Bicep CLI from NuGet, once: it stays in the cache.
 * @returns the file of the program, or undefined without a .NET SDK
 * @throws UserError when the package cannot be restored
 */
export function restoreBicep(
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
  cache: string,
): string | undefined {
  const platform = `${systems[process.platform] ?? process.platform}-${process.arch}`;
  const name = `azure.bicep.commandline.${platform}`;
  const folder = join(cache, name, OLDEST_BICEP.join('.'));
  const program = join(folder, 'tools', isWindows ? 'bicep.exe' : 'bicep');
  // Written last: another process may be unpacking right now.
  const isComplete = (): boolean => existsSync(join(folder, '.nupkg.metadata')) && isExecutable(program);
  if (isComplete()) return program;
  const dotnet = findProgram('dotnet', PATH);
  if (dotnet === undefined) return undefined;
  restore(dotnet, platform, cache);
  if (!isComplete()) throw new UserError(`${name} was restored, but has no program at ${program}`);
  return program;
}

/** As .NET calls them. */
const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'osx', win32: 'win' };

const RESTORE_TIMEOUT_MS = 300_000;

function restore(dotnet: string, platform: string, cache: string): void {
  // What MSBuild notes on the way is of no use later, and two processes must not share it.
  const notes = mkdtempSync(join(tmpdir(), 'bicep-restore-'));
  try {
    const { status, stdout, error } = spawnSync(
      dotnet,
      [
        'restore',
        join(import.meta.dirname, 'bicep.csproj'),
        '--packages',
        cache,
        `-p:BicepPlatform=${platform}`,
        `-p:BicepVersion=${OLDEST_BICEP.join('.')}`,
        `-p:MSBuildProjectExtensionsPath=${notes}/`,
      ],
      {
        encoding: 'utf8',
        timeout: RESTORE_TIMEOUT_MS,
        env: { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
      },
    );
    if (status !== 0)
      throw new UserError(`the Bicep CLI cannot be restored from NuGet: ${error?.message ?? stdout.trim()}`);
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}
