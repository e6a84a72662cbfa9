/** What to simulate. The same options always give the same bytes. */
export interface SimulationOptions {
  /** Row changes to make: the number of events, 0 to {@link MAX_CHANGES}. */
  readonly changes: number;
  /** Everything random follows from it; a whole number, 0 or more. */
  readonly seed: number;
  /** Partitions of the event hub, 1 to {@link MAX_PARTITIONS}. */
  readonly partitions: number;
  /** What tells of the changes; `mixed` chooses for every transaction, and may choose both. */
  readonly format: 'ces' | 'debezium' | 'mixed';
  /** `mixed` chooses for every event. */
  readonly encoding: 'json' | 'avro' | 'mixed';
  /**
   * Message generation; `mixed` chooses for every event.
   * - `split`: `splitindex` and `splittotalcnt`, no transaction block; JSON only, Avro events fall back to `segment`.
   * - `segment`: `segmentindex` and `finalsegment`, a transaction block without `finalevent`.
   * - `segment-final`: the same with `finalevent`, and content type `application/json`.
   */
  readonly generation: 'split' | 'segment' | 'segment-final' | 'mixed';
  /** Index of the first segment; generation `split` always starts at 0. */
  readonly firstIndex: 0 | 1;
  /** What decides the partition of a message: `none` is round robin, `column` the primary key of the row. */
  readonly partitionScheme: 'none' | 'streamGroup' | 'table' | 'column';
  /** Most bytes of serialized `data` in one message, {@link MIN_SEGMENT_BYTES} to {@link MAX_SEGMENT_BYTES}. */
  readonly segmentBytes: number;
  /**
   * Length of the texts of a table with ten columns of them, in bytes of UTF-8, 0 to {@link MAX_VALUE_BYTES}; there is
   * no such table with 0.
   */
  readonly largeValueBytes: number;
  /** Updates carry the key and the columns they set only (`include_all_columns = 0`). */
  readonly changedColumnsOnly: boolean;
  /** Updates carry the old row (`include_old_values = 1`). Deletes always do. */
  readonly oldValues: boolean;
  /** How a change of a primary key is told: two events, or one update with two different keys. */
  readonly keyChanges: 'delete-insert' | 'update';
  /** JSON `data` as real text, or as UTF-8 bytes written one character U+0000..U+00FF each. */
  readonly jsonData: 'text' | 'latin1';
  /** Share of the messages that come again, 0..1: half sent again by the producer, half handed over again. */
  readonly duplicates: number;
  /** How far messages move inside their partition and partitions run apart, 0..1; 0 is the order of commits. */
  readonly reorder: number;
  /** Most messages of one batch, 1 to {@link MAX_BATCH_SIZE}. */
  readonly batchSize: number;
}

export const defaultSimulationOptions: SimulationOptions = {
  changes: 1000,
  seed: 1,
  partitions: 4,
  format: 'ces',
  encoding: 'json',
  generation: 'segment-final',
  firstIndex: 0,
  partitionScheme: 'none',
  segmentBytes: 16_384,
  largeValueBytes: 0,
  changedColumnsOnly: false,
  oldValues: true,
  keyChanges: 'delete-insert',
  jsonData: 'text',
  duplicates: 0.05,
  reorder: 0.2,
  batchSize: 64,
};

/** All messages are held in memory: about 12 KiB for each change. */
export const MAX_CHANGES = 100_000;
export const MAX_PARTITIONS = 32;
/** Longer than any character, so that every segment of text holds at least one. */
export const MIN_SEGMENT_BYTES = 16;
export const MAX_SEGMENT_BYTES = 1_048_576;
/** CES cuts longer values without a word, so none is made. */
export const MAX_VALUE_BYTES = 1_000_000;
export const MAX_BATCH_SIZE = 10_000;

/** Throws a RangeError that names the first option out of range, or the options that exclude each other. */
export function checkSimulationOptions(options: SimulationOptions): void {
  whole(options, 'changes', 0, MAX_CHANGES);
  whole(options, 'seed', 0, Number.MAX_SAFE_INTEGER);
  whole(options, 'partitions', 1, MAX_PARTITIONS);
  whole(options, 'segmentBytes', MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
  whole(options, 'largeValueBytes', 0, MAX_VALUE_BYTES);
  whole(options, 'batchSize', 1, MAX_BATCH_SIZE);
  share(options, 'duplicates');
  share(options, 'reorder');
  if (options.keyChanges === 'update' && options.changedColumnsOnly) {
    throw new RangeError("keyChanges 'update' needs changedColumnsOnly false: the new row would be unknown");
  }
  if (options.keyChanges === 'update' && !options.oldValues) {
    throw new RangeError("keyChanges 'update' needs oldValues true: nobody could see the change of the key");
  }
}

type NumberOption = {
  [Name in keyof SimulationOptions]: number extends SimulationOptions[Name] ? Name : never;
}[keyof SimulationOptions];

function whole(options: SimulationOptions, name: NumberOption, least: number, most: number): void {
  const value = options[name];
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}`);
  }
}

function share(options: SimulationOptions, name: NumberOption): void {
  const value = options[name];
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} must be between 0 and 1, not ${value}`);
}
