import { createInterface } from 'node:readline/promises';

export type Ask = (question: string) => Promise<boolean>;

/** Asks at the terminal; undefined where there is none to ask at. Anything but y or yes is a no. */
export function askUser(): Ask | undefined {
  if (process.stdin.isTTY !== true) return undefined;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^\s*y(es)?\s*$/i.test(await terminal.question(`${question} [y/N] `));
    } finally {
      terminal.close();
    }
  };
}
