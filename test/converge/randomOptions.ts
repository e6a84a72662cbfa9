import { defaultSimulationOptions, type SimulationOptions } from '../../local/simulation/options.ts';
import { Random } from '../../local/simulation/random.ts';
import { MIN_ITEM_BYTES } from '../../src/limits.ts';

/** A small history with options of every kind, all from the seed. */
export function randomOptions(seed: number): SimulationOptions {
  const random = new Random(seed, 'options');
  const changedColumnsOnly = random.chance(0.5);
  const oldValues = random.chance(0.7);
  const large = new Random(seed, 'large rows').chance(LARGE_ROWS_SHARE) ? largeRows : {};
  const keyChangesAsUpdates = !changedColumnsOnly && oldValues && random.chance(0.5);
  return {
    ...defaultSimulationOptions,
    seed,
    changes: random.integer(10, 60),
    partitions: random.integer(1, 8),
    encoding: random.pick(['json', 'avro', 'mixed']),
    generation: random.pick(['split', 'segment', 'segment-final', 'mixed']),
    firstIndex: random.pick([0, 1]),
    partitionScheme: random.pick(['none', 'streamGroup', 'table', 'column']),
    segmentBytes: random.pick([700, 1_500, 4_000, 16_384]),
    changedColumnsOnly,
    oldValues,
    keyChanges: keyChangesAsUpdates ? 'update' : 'delete-insert',
    jsonData: random.pick(['text', 'latin1']),
    duplicates: random.pick([0, 0.1, 0.5]),
    reorder: random.pick([0, 0.3, 1]),
    batchSize: random.pick([1, 3, 10, 64]),
    ...large,
  };
}

/** Share of the histories with rows that do not fit into an item where {@link smallItems} is the configuration. */
const LARGE_ROWS_SHARE = 0.15;
/** In few segments: each may have to be parked. */
const largeRows: Partial<SimulationOptions> = { largeValueBytes: 2_000, segmentBytes: 16_384 };

/** REPLICA_CONFIG with which some rows of a history need Blob storage, small as they are. */
export const smallItems = JSON.stringify({ tables: { '*.*.*': { itemBytes: MIN_ITEM_BYTES } } });
