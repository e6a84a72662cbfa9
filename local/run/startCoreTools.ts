import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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

const isWindows = process.platform === 'win32';
/** npm installs programs as scripts there. */
const EXTENSIONS = isWindows ? ['.cmd', '.exe'] : [''];

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => EXTENSIONS.map((extension) => join(folder, name + extension)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
