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
  /** Marks of batches that failed which a batch that went well has seen, and when: they count no more. */
  readonly settles: ReadonlyMap<string, number>;
}

export const nothingCarried: Carried = new Map();

/** Commutative, associative and idempotent. */
export function joinCarried(all: Iterable<Carried>): Carried {
  const joined = new Map<string, CarriedProgress>();
  for (const one of all) {
    for (const [partition, more] of one) {
      const known = joined.get(partition);
      joined.set(partition, known === undefined ? more : joinOne(known, more));
    }
  }
  return joined;
}

function joinOne(a: CarriedProgress, b: CarriedProgress): CarriedProgress {
  const settles = new Map(a.settles);
  for (const [mark, at] of b.settles) settles.set(mark, Math.max(at, settles.get(mark) ?? 0));
  return { streams: joinStreams(a.streams, b.streams), settles };
}

export function withCarried(
  { streams, failing, recovered, ...rest }: PartitionProgress,
  carried: CarriedProgress,
): PartitionProgress {
  return {
    ...rest,
    streams: joinStreams(streams, carried.streams),
    failing: failing !== undefined && carried.settles.has(failing.id) ? undefined : failing,
    recovered: Math.max(recovered, ...carried.settles.values()),
  };
}

/** Streams and marks in all partitions together. */
export function sizeOf(carried: Carried): number {
  return carried.values().reduce((sum, { streams, settles }) => sum + streams.size + settles.size, 0);
}

export type StoredCarried = Readonly<
  Record<
    string,
    {
      readonly streams: Readonly<Record<string, StreamProgress>>;
      readonly settles?: Readonly<Record<string, number>>;
    }
  >
>;

export function toStoredCarried(carried: Carried): StoredCarried {
  return Object.fromEntries(
    [...carried].map(([partition, { streams, settles }]) => [
      partition,
      {
        streams: Object.fromEntries(streams),
        ...(settles.size > 0 && { settles: Object.fromEntries(settles) }),
      },
    ]),
  );
}

export function fromStoredCarried(stored: StoredCarried = {}): Carried {
  return new Map(
    Object.entries(stored).map(([partition, { streams, settles = {} }]) => [
      partition,
      { streams: fromStoredStreams(streams), settles: new Map(Object.entries(settles)) },
    ]),
  );
}
