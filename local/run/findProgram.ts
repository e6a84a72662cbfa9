import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Looks a program up as a shell would.
 * @param path folders where programs are, as in the environment variable PATH
 * @returns its file, or undefined when it is not there
 */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => EXTENSIONS.map((extension) => join(folder, name + extension)))
    .find(isExecutable);
}

export const isWindows = process.platform === 'win32';

/** npm installs programs as scripts there. */
const EXTENSIONS = isWindows ? ['.cmd', '.exe'] : [''];

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
