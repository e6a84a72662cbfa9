import {
  fromStoredStreams,
  joinStreams,
  type PartitionProgress,
  type StreamProgress,
  type Streams,
} from './partitionProgress.ts';

/**
 * Progress of partitions that the item of an open transaction carries, by partition: a batch that writes into it need
 * not write into the item of its partition. It is moved there before the transaction ends.
 */
export type Carried = ReadonlyMap<string, CarriedProgress>;

export interface CarriedProgress {
  readonly streams: Streams;
  /** Marks of batches that failed which a batch that went well has seen: they count no more. */
  readonly settles: ReadonlySet<string>;
}

export const nothingCarried: Carried = new Map();

/** Commutative, associative and idempotent. */
export function joinCarried(a: Carried, b: Carried): Carried {
  const joined = new Map(a);
  for (const [partition, { streams, settles }] of b) {
    const known = joined.get(partition);
    joined.set(partition, {
      streams: known === undefined ? streams : joinStreams(known.streams, streams),
      settles: known === undefined ? settles : new Set([...known.settles, ...settles]),
    });
  }
  return joined;
}

export function withCarried(
  { streams, failing, ...rest }: PartitionProgress,
  carried: CarriedProgress,
): PartitionProgress {
  return {
    ...rest,
    streams: joinStreams(streams, carried.streams),
    failing: failing !== undefined && carried.settles.has(failing.id) ? undefined : failing,
  };
}

/** Streams in all partitions together. */
export function sizeOf(carried: Carried): number {
  return carried.values().reduce((sum, { streams }) => sum + streams.size, 0);
}

export type StoredCarried = Readonly<
  Record<
    string,
    { readonly streams: Readonly<Record<string, StreamProgress>>; readonly settles?: readonly string[] }
  >
>;

export function toStoredCarried(carried: Carried): StoredCarried {
  return Object.fromEntries(
    [...carried].map(([partition, { streams, settles }]) => [
      partition,
      { streams: Object.fromEntries(streams), ...(settles.size > 0 && { settles: [...settles] }) },
    ]),
  );
}

export function fromStoredCarried(stored: StoredCarried = {}): Carried {
  return new Map(
    Object.entries(stored).map(([partition, { streams, settles }]) => [
      partition,
      { streams: fromStoredStreams(streams), settles: new Set(settles) },
    ]),
  );
}
