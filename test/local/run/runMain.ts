import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Summary } from '../../../local/run/summary.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../local/main.ts', import.meta.url));

/** The built function app. */
export const bundle = fileURLToPath(new URL('../../../dist/index.cjs', import.meta.url));

/** Long enough for a slow machine; a run that hangs ends the test. */
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds the function app where that has not been done. */
export async function ensureBundle(): Promise<void> {
  if (existsSync(bundle)) return;
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: PROJECT, timeout: TIMEOUT_MS });
}

/** Runs the command line as a user does. */
export async function runMain(...args: readonly string[]): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const options = { cwd: PROJECT, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
  });
  return promise;
}

/** Runs it with `--json` and reads what it prints. */
export async function runForSummary(...args: readonly string[]): Promise<Summary & { code: number }> {
  const { code, stdout, stderr } = await runMain(...args, '--json');
  if (stderr !== '') throw new Error(`the run wrote to standard error: ${stderr}`);
  return { ...JSON.parse(stdout), code };
}

/** Starts it and leaves it running. */
export function startMain(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
}
