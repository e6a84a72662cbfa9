import { relative } from 'node:path';
import type { HubBatch } from '../hubMessage.ts';
import { readInput } from '../input/readInput.ts';
import { keyChoices } from '../simulation/keyChoices.ts';
import type { Simulation } from '../simulation/simulate.ts';
import type { Concurrency } from './feed.ts';
import type { RunOptions } from './options.ts';
import { simulatedSource } from './simulatedSource.ts';

/** Where the messages of a run come from. */
export interface MessageSource {
  /** For people, and short. */
  readonly name: string;
  readonly batches: AsyncIterable<HubBatch> | Iterable<HubBatch>;
  readonly concurrency: Concurrency;
  /** Files that were left out, and why. Complete once the first batch is there. */
  readonly skipped: readonly SkippedFile[];
  readonly simulation?: Simulation;
  /** App settings that the messages need; not used with a configuration of the user's. */
  readonly settings?: { readonly REPLICA_CONFIG: string };
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/**
 * Opens what the options name; of files the first batch has been read by then.
 * @throws InputError when a path cannot be used, UserError when the simulation's options make no sense
 */
export async function openSource({ source }: RunOptions): Promise<MessageSource> {
  if (source.kind === 'simulation') {
    const simulation = simulatedSource(source.options);
    return {
      name: 'simulation',
      batches: simulation.batches,
      concurrency: 'perPartition',
      skipped: [],
      simulation,
      ...(source.options.format !== 'ces' && {
        settings: { REPLICA_CONFIG: keyChoices(simulation.tables) },
      }),
    };
  }
  const skipped: SkippedFile[] = [];
  const batches = readInput(source.path, { onSkip: (path, reason) => skipped.push({ path, reason }) });
  const name = source.bundled ? relative(process.cwd(), source.path) : source.path;
  return { name, batches: await startReading(batches), concurrency: 'one', skipped };
}

/** Reads the first batch now, so that what is wrong with a path shows before anything else happens. */
async function startReading(batches: AsyncGenerator<HubBatch>): Promise<AsyncGenerator<HubBatch>> {
  const first = await batches.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* batches;
  })();
}
