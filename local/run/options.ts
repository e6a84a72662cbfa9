import { fileURLToPath } from 'node:url';
import { type Command, CommanderError } from 'commander';
import { defaultSimulationOptions, type SimulationOptions } from '../simulation/options.ts';
import { makeCommand, oneLine } from './command.ts';
import { UserError } from './userError.ts';

/** What the user asked for. */
export interface RunOptions {
  readonly source: RecordingSource | SimulationSource;
  /** The setting TRANSACTIONS. */
  readonly transactions: 'off' | 'on' | 'on-with-order';
  /** Leave the servers up after the run. */
  readonly keep: boolean;
  /** Print the summary as one JSON object and nothing else. */
  readonly json: boolean;
  /** Absolute or relative path of the built function app. */
  readonly bundle: string;
  /** Path of a document of REPLICA_CONFIG. */
  readonly config?: string;
}

export interface RecordingSource {
  readonly kind: 'recording';
  /** File or folder. */
  readonly path: string;
  /** True for the recording that comes with the project. */
  readonly bundled: boolean;
}

export interface SimulationSource {
  readonly kind: 'simulation';
  readonly options: SimulationOptions;
}

/**
 * Reads the command line.
 * @param args without the names of node and of the script.
 * @returns undefined when help was asked for and has been printed.
 * @throws UserError for an unknown option, a value that is none, or options that exclude each other.
 */
export function parseOptions(args: readonly string[]): RunOptions | undefined {
  const command = makeCommand();
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const hint =
      error.code === 'commander.excessArguments'
        ? 'options come after --, as in npm run local -- --simulate 100'
        : '--help lists the options';
    throw new UserError(`${oneLine(error.message)}; ${hint}`, { cause: error });
  }
  const { keep = false, json = false, bundle, from, config, transactions: tracked } = command.opts<Flags>();
  const transactions = tracked === undefined ? 'off' : tracked === true ? 'on' : 'on-with-order';
  const source = simulationSource(command) ?? recordingSource(from);
  return { source, transactions, keep, json, bundle, ...(config !== undefined && { config }) };
}

const BUNDLED_RECORDING = fileURLToPath(new URL('../recording.jsonl', import.meta.url));

interface Flags {
  readonly transactions?: true | 'with-order';
  readonly keep?: true;
  readonly json?: true;
  readonly bundle: string;
  readonly from?: string;
  readonly config?: string;
  readonly simulate?: number;
}

function recordingSource(from: string | undefined): RecordingSource {
  return from === undefined
    ? { kind: 'recording', path: BUNDLED_RECORDING, bundled: true }
    : { kind: 'recording', path: from, bundled: false };
}

/** Names on the command line that differ from those of the simulator. */
const OPTION_OF_FLAG: Readonly<Record<string, keyof SimulationOptions>> = {
  simulate: 'changes',
  scheme: 'partitionScheme',
};
const NOT_FOR_SIMULATION: ReadonlySet<string> = new Set([
  'from',
  'config',
  'transactions',
  'keep',
  'json',
  'bundle',
]);

function simulationSource(command: Command): SimulationSource | undefined {
  const flags: Readonly<Record<string, unknown>> = command.opts();
  const names = Object.keys(flags).filter((name) => !NOT_FOR_SIMULATION.has(name));
  if (flags['simulate'] === undefined) {
    const given = names.find((name) => command.getOptionValueSource(name) === 'cli');
    if (given === undefined) return undefined;
    const option = command.options.find((candidate) => candidate.attributeName() === given);
    throw new UserError(`${option?.long ?? given} is for a simulated source; add --simulate <changes>`);
  }
  const chosen = Object.fromEntries(names.map((name) => [OPTION_OF_FLAG[name] ?? name, flags[name]]));
  // The parser has checked the choices and made numbers of numbers; ranges are the simulator's.
  const options: SimulationOptions = {
    ...defaultSimulationOptions,
    ...chosen,
    firstIndex: flags['firstIndex'] === '1' ? 1 : 0,
  };
  return { kind: 'simulation', options };
}
