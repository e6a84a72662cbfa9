import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, isExecutable, isWindows } from '../run/findProgram.ts';
import { UserError } from '../run/userError.ts';
import { bicepVersion, OLDEST_BICEP } from './bicepVersion.ts';
import { restoreBicep } from './restoreBicep.ts';

/**
 * Finds the Bicep CLI: on PATH, where `az bicep install` and `azd` put it, or in a NuGet package, which is restored
 * when the .NET SDK is there. One that is older than the templates need is passed over.
 * @param cache where the package is, or is put
 * @returns the file of the program
 * @throws UserError that says how to get it
 */
export function findBicep(environment: Environment, cache: string = CACHE): string {
  const found = candidates(environment).find((file) => isRecent(bicepVersion(file)));
  return found ?? restoreBicep(environment, cache) ?? giveUp();
}

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bicep');

type Environment = Readonly<Record<string, string | undefined>>;

function candidates({ PATH = '', AZURE_CONFIG_DIR, AZD_CONFIG_DIR }: Environment): readonly string[] {
  const program = isWindows ? 'bicep.exe' : 'bicep';
  const ofAz = join(AZURE_CONFIG_DIR ?? join(homedir(), '.azure'), 'bin', program);
  const ofAzd = join(AZD_CONFIG_DIR ?? join(homedir(), '.azd'), 'bin', program);
  const onPath = findProgram('bicep', PATH);
  return [...(onPath === undefined ? [] : [onPath]), ...[ofAz, ofAzd].filter(isExecutable)];
}

function isRecent(version: readonly number[]): boolean {
  for (const [index, least] of OLDEST_BICEP.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

function giveUp(): never {
  throw new UserError(
    `the Bicep CLI, version ${OLDEST_BICEP.join('.')} or newer, was not found: install it with "az bicep install", ` +
      'put "bicep" on PATH, or install the .NET SDK, which restores it from NuGet',
  );
}
