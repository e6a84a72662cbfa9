import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findBicep } from '../../local/bicep/findBicep.ts';
import { UserError } from '../../local/run/userError.ts';

/** The templates of the project. */
export const INFRA = join(import.meta.dirname, '..', '..', 'infra');

/**
 * Why tests with the real compiler are left out, for the option `skip` of a test: no Bicep CLI on this machine.
 * @throws UserError instead where the environment variable CI is set: there nothing may be left out
 */
export function withoutBicep(environment = process.env): string | false {
  try {
    program ??= findBicep(environment);
    return false;
  } catch (error) {
    if (!(error instanceof UserError) || environment['CI'] !== undefined) throw error;
    return error.message;
  }
}

let program: string | undefined;

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  /** Errors and warnings, one a line; empty when the files are clean. */
  readonly stderr: string;
}

/** Runs the Bicep CLI. */
export function bicep(args: readonly string[]): Promise<Outcome> {
  program ??= findBicep(process.env);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  execFile(program, args, LIMITS, (error, stdout, stderr) => {
    const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
    resolve({ code, stdout, stderr: stderr.trim() });
  });
  return promise;
}

const LIMITS = { encoding: 'utf8', timeout: 120_000, maxBuffer: 64 * 1024 * 1024 } as const;

/** A template file of `infra`, compiled: its JSON, and what the compiler and the linter said. Once per process. */
export function compile(file: string): Promise<Compiled> {
  return once(compiled, file, async () => {
    const { code, stdout, stderr } = await bicep(['build', join(INFRA, file), '--stdout']);
    if (code !== 0) throw new Error(`${file} does not compile:\n${stderr}`);
    return { template: JSON.parse(stdout), diagnostics: stderr };
  });
}

const compiled = new Map<string, Promise<Compiled>>();

export interface Compiled {
  readonly template: unknown;
  /** Warnings, one a line; empty when the file is clean. */
  readonly diagnostics: string;
}

/** What would be deployed. Values that only Azure knows are left as expressions in brackets. */
export interface Snapshot {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** What a parameter file of `infra` leads to, evaluated offline. Once per process. */
export function snapshot(parameterFile: string): Promise<Snapshot> {
  return once(snapshots, parameterFile, () =>
    snapshotOf(readFileSync(join(INFRA, parameterFile), 'utf8'), parameterFile),
  );
}

const snapshots = new Map<string, Promise<Snapshot>>();

/**
 * What the text of a parameter file leads to, as if the file were in `infra`.
 * @throws Error with what the compiler or the evaluation says is wrong
 */
export async function snapshotOf(text: string, name = 'variant.bicepparam'): Promise<Snapshot> {
  // The CLI writes beside the parameter file.
  const folder = mkdtempSync(join(tmpdir(), 'bicep-snapshot-'));
  try {
    for (const entry of readdirSync(INFRA).filter((entry) => !entry.endsWith('.bicepparam')))
      symlinkSync(join(INFRA, entry), join(folder, entry));
    const file = join(folder, name);
    writeFileSync(file, text);
    const { code, stdout, stderr } = await bicep(['snapshot', file, '--mode', 'overwrite', ...deployment]);
    if (code !== 0) throw new Error(stderr || stdout);
    const written = join(folder, `${basename(name, '.bicepparam')}.snapshot.json`);
    const { predictedResources, outputs } = JSON.parse(readFileSync(written, 'utf8'));
    return { resources: predictedResources, outputs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A value inside of JSON, by its path: `field(template, 'outputs.hub.value')`. Undefined where there is none. */
export function field(json: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      json,
    );
}

/** Where the resources would go. */
const deployment = [
  ['--subscription-id', '00000000-0000-0000-0000-000000000001'],
  ['--resource-group', 'replica'],
  ['--location', 'westeurope'],
  ['--tenant-id', '00000000-0000-0000-0000-000000000002'],
].flat();

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const result = known.get(key) ?? make();
  known.set(key, result);
  return result;
}
