import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, isWindows } from './findProgram.ts';
import { UserError } from './userError.ts';

export interface CoreToolsOptions {
  /** The function app: has host.json. */
  readonly folder: string;
  /** Passed on to `func start`. */
  readonly args: readonly string[];
  /** Folders where programs are, as in the environment variable PATH. */
  readonly path: string;
}

/**
 * Runs `func start` of Azure Functions Core Tools in this terminal.
 * @returns its exit code, once it has ended
 * @throws UserError when the tools or the settings are missing
 */
export async function startCoreTools({ folder, args, path }: CoreToolsOptions): Promise<number> {
  const func = findProgram('func', path);
  if (func === undefined) {
    throw new UserError(
      'func, of Azure Functions Core Tools, is not on PATH; npm install -g azure-functions-core-tools@4 installs it, ' +
        'and npm run local runs the app without it',
    );
  }
  if (!existsSync(join(folder, 'local.settings.json'))) {
    throw new UserError(
      'local.settings.json is missing; copy local.settings.json.example to that name and put your values in',
    );
  }
  const child = spawn(func, ['start', ...args], { cwd: folder, stdio: 'inherit', shell: isWindows });
  // Ctrl-C reaches the tools too: they end in their own time, and this after them.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('exit', (code) => resolve(code ?? 1));
  try {
    return await promise;
  } finally {
    process.off('SIGINT', ignore);
  }
}
