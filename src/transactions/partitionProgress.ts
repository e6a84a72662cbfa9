import { MAX_PARTITION_STREAMS, MAX_STRAYS } from '../limits.ts';
import type { Lsn } from '../model/lsn.ts';
import { type Commit, epochOf, parseCommit } from './commit.ts';

/** How far one partition of the hub has been handled, stream by stream. */
export interface PartitionProgress {
  readonly streams: Streams;
  /** The last one's who wrote. */
  readonly failing: FailingBatch | undefined;
  /** When a batch went well after one that had failed, in milliseconds: until then the partition was not silent. */
  readonly recovered: number;
  /** Dead letters of streams whose database was unknown, until it is known: by {@link strayKey}. */
  readonly strays: ReadonlyMap<string, Stray>;
  /** Of {@link ELSEWHERE} only: partitions that messages have come from, when HUB_PARTITIONS is less; else 0. */
  readonly partitions: number;
}

/** By {@link streamKey}. */
export type Streams = ReadonlyMap<string, StreamProgress>;

/** A dead letter of which nothing is known but where it stands in its stream. */
export interface Stray {
  readonly stream: string;
  readonly lsn: Lsn;
  readonly number: number | undefined;
  readonly reason: string;
  readonly time: string | null;
}

export function strayKey({ stream, lsn, number, reason }: Stray): string {
  return [stream, lsn, number, reason].join(':');
}

export interface StreamProgress {
  readonly db: string;
  /** Newest commit of which something was handled. What lies before it in the partition is handled, too. */
  readonly commit: Commit;
  /** When something of the stream was recorded last, in milliseconds. */
  readonly arrived: number;
}

/** A batch that could not be handled. It comes again; until then what it holds must not be taken for handled. */
export interface FailingBatch {
  /** Tells this mark apart from every other. */
  readonly id: string;
  /** In milliseconds. */
  readonly at: number;
  /** Lowest commits in it. Without `db` they may be of any database. */
  readonly holds: readonly { readonly db?: string; readonly commit?: Commit }[];
}

/** A stream group belongs to one database, but published examples share theirs, and nothing may wait for that. */
export function streamKey(stream: string, db: string): string {
  return `${stream}/${db}`;
}

/**
 * Databases of each stream that the partitions tell, each with its newest epoch: a partition in which nothing has come
 * since an epoch was raised still tells the one before. Newest commit first.
 */
export function streamsIn(
  partitions: readonly PartitionProgress[],
): ReadonlyMap<string, readonly KnownStream[]> {
  const told = partitions
    .flatMap(({ streams }) => [...streams])
    .sort(([, { commit: a }], [, { commit: b }]) => (a < b ? 1 : a > b ? -1 : 0));
  const found = new Map<string, readonly KnownStream[]>();
  for (const [key, { db, commit }] of told) {
    const [stream = ''] = key.split('/', 1);
    const others = found.get(stream) ?? [];
    if (others.every((other) => other.db !== db))
      found.set(stream, [...others, { db, epoch: epochOf(commit) }]);
  }
  return found;
}

export interface KnownStream {
  readonly db: string;
  readonly epoch: number;
}

export const noProgress: PartitionProgress = {
  streams: new Map(),
  failing: undefined,
  recovered: 0,
  strays: new Map(),
  partitions: 0,
};

/** Commutative, associative and idempotent. */
export function joinStreams(a: Streams, b: Streams): Streams {
  const streams = new Map(a);
  for (const [stream, told] of b) {
    const known = streams.get(stream);
    streams.set(stream, known === undefined ? told : joinStream(known, told));
  }
  return newest(streams);
}

/** Of too many the first are kept. */
export function withStrays(known: PartitionProgress, more: PartitionProgress['strays']): PartitionProgress {
  return { ...known, strays: new Map([...known.strays, ...more].slice(0, MAX_STRAYS)) };
}

function joinStream(a: StreamProgress, b: StreamProgress): StreamProgress {
  const first = a.commit === b.commit ? a.db >= b.db : a.commit > b.commit;
  const { db, commit } = first ? a : b;
  return { db, commit, arrived: Math.max(a.arrived, b.arrived) };
}

/** Stream groups come and go; of too many those are forgotten that have been silent longest. */
function newest(streams: Streams): Streams {
  if (streams.size <= MAX_PARTITION_STREAMS) return streams;
  const ordered = [...streams].sort(([a, x], [b, y]) => y.arrived - x.arrived || (a < b ? -1 : 1));
  return new Map(ordered.slice(0, MAX_PARTITION_STREAMS));
}

/** Id and partition key of a partition's item. @param partition its id, or {@link ELSEWHERE}. */
export function partitionItemId(partition: string): string {
  return `partition-${partition}`;
}

/** Stands for the partition of what did not just come from one: messages without metadata, parked events. */
export const ELSEWHERE = 'elsewhere';

export interface PartitionItem {
  readonly id: string;
  readonly pkkey: string;
  readonly streams: Readonly<Record<string, StreamProgress>>;
  readonly failing?: FailingBatch;
  readonly recovered?: number;
  readonly strays?: readonly Stray[];
  readonly partitions?: number;
}

export function toPartitionItem(
  id: string,
  { streams, failing, recovered, strays, partitions }: PartitionProgress,
): PartitionItem {
  return {
    id,
    pkkey: id,
    streams: Object.fromEntries(streams),
    ...(failing !== undefined && { failing }),
    ...(recovered > 0 && { recovered }),
    ...(strays.size > 0 && { strays: [...strays.values()] }),
    ...(partitions > 0 && { partitions }),
  };
}

export function fromPartitionItem(stored: unknown): PartitionProgress {
  const item = (stored ?? {}) as Partial<PartitionItem>;
  const { streams = {}, failing, recovered = 0, strays = [], partitions = 0 } = item;
  return {
    streams: fromStoredStreams(streams),
    failing,
    recovered,
    strays: new Map(strays.map((stray) => [strayKey(stray), stray])),
    partitions,
  };
}

export function fromStoredStreams(stored: Readonly<Record<string, StreamProgress>>): Streams {
  return new Map(Object.entries(stored).filter(([, { commit }]) => parseCommit(commit) !== undefined));
}
