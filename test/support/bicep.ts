import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBicep } from '../../local/bicep/findBicep.ts';
import { UserError } from '../../local/run/userError.ts';
import { BicepServer } from './bicepServer.ts';

/** The templates of the project. */
export const INFRA = join(import.meta.dirname, '..', '..', 'infra');

/**
 * Why tests with the real compiler are left out, for the option `skip` of a test: no Bicep CLI on this machine.
 * @throws UserError instead where the environment variable CI is set: there nothing may be left out
 */
export function withoutBicep(
  environment: NodeJS.ProcessEnv = process.env,
  find: typeof findProgram = findProgram,
): string | false {
  try {
    find();
    return false;
  } catch (error) {
    if (!(error instanceof UserError) || environment['CI'] !== undefined) throw error;
    return error.message;
  }
}

let program: string | undefined;
let server: BicepServer | undefined;

function findProgram(): string {
  program ??= findBicep(process.env);
  return program;
}

function call(method: string, parameters: object): Promise<unknown> {
  server ??= new BicepServer(findProgram());
  return server.call(method, parameters);
}

export interface Compiled {
  /** Undefined when there are errors. */
  readonly template: unknown;
  /** Errors and warnings of the compiler and the linter, one a line; empty when all files are clean. */
  readonly diagnostics: string;
}

/** A template or parameter file of `infra`, compiled. Once per process. */
export function compile(file: string): Promise<Compiled> {
  return once(compiled, file, () => compileFile(join(INFRA, file)));
}

const compiled = new Map<string, Promise<Compiled>>();

/** The text of a template or parameter file, compiled as if the file were in `infra`. */
export function compileText(
  text: string,
  extension: 'bicep' | 'bicepparam' = 'bicepparam',
): Promise<Compiled> {
  return asFile(text, extension, compileFile);
}

async function compileFile(path: string): Promise<Compiled> {
  const parameters = path.endsWith('.bicepparam');
  const method = parameters ? 'bicep/compileParams' : 'bicep/compile';
  const result = await call(method, { path, parameterOverrides: {} });
  const contents = field(result, parameters ? 'parameters' : 'contents');
  const diagnostics = field(result, 'diagnostics');
  return {
    template: typeof contents === 'string' ? JSON.parse(contents) : undefined,
    diagnostics: (Array.isArray(diagnostics) ? diagnostics : [diagnostics]).map(describe).join('\n'),
  };
}

function describe(diagnostic: unknown): string {
  const of = (path: string): unknown => field(diagnostic, path);
  const line = Number(of('range.start.line')) + 1;
  return `${of('source')}:${line} ${of('level')} ${of('code')}: ${of('message')}`;
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

/** What a parameter file of `infra` leads to, evaluated offline as `bicep snapshot` does. Once per process. */
export function snapshot(parameterFile: string): Promise<Snapshot> {
  return once(snapshots, parameterFile, () => snapshotFile(join(INFRA, parameterFile)));
}

const snapshots = new Map<string, Promise<Snapshot>>();

/**
 * What the text of a parameter file leads to, as if the file were in `infra`.
 * @throws Error with what the compiler or the evaluation says is wrong
 */
export function snapshotOf(text: string): Promise<Snapshot> {
  return asFile(text, 'bicepparam', snapshotFile);
}

async function snapshotFile(path: string): Promise<Snapshot> {
  const result = await call('bicep/getSnapshot', { path, metadata }).catch(async (error: unknown) => {
    // It does not say what is wrong with a file that does not compile.
    const { diagnostics } = await compileFile(path);
    throw new Error(`${error}\n${diagnostics}`, { cause: error });
  });
  const { predictedResources, outputs } = JSON.parse(String(field(result, 'snapshot')));
  return { resources: predictedResources, outputs };
}

/** Where the resources would go. */
const metadata = {
  tenantId: '00000000-0000-0000-0000-000000000002',
  subscriptionId: '00000000-0000-0000-0000-000000000001',
  resourceGroup: 'replica',
  location: 'westeurope',
  deploymentName: 'main',
};

/** Puts the text into a folder that looks like `infra`. */
async function asFile<T>(text: string, extension: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'infra-'));
  try {
    for (const entry of readdirSync(INFRA)) symlinkSync(join(INFRA, entry), join(folder, entry));
    const path = join(folder, `variant.${extension}`);
    writeFileSync(path, text);
    return await use(path);
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

/** A file of `infra` as `bicep format` writes it. */
export async function formatted(file: string): Promise<string> {
  return String(field(await call('bicep/format', { path: join(INFRA, file) }), 'contents'));
}

/** The text of a file of `infra`. */
export function infraText(file: string): string {
  return readFileSync(join(INFRA, file), 'utf8');
}

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const result = known.get(key) ?? make();
  known.set(key, result);
  return result;
}
