import type { Deadline } from '../deadline.ts';
import { MAX_CARRIED_STREAMS } from '../limits.ts';
import {
  type Carried,
  type CarriedProgress,
  joinCarried,
  nothingCarried,
  sizeOf,
} from './carriedProgress.ts';
import { type Joining, joinItems, type KnownItem, readItems } from './joinItems.ts';
import { KnownStreams } from './knownStreams.ts';
import { OutageMemory } from './outageMemory.ts';
import { addressOf, PartitionItems } from './partitionItems.ts';
import {
  ELSEWHERE,
  fromPartitionItem,
  joinStreams,
  type PartitionProgress,
  type Stray,
  type Streams,
  strayKey,
  streamsIn,
  withStrays,
} from './partitionProgress.ts';
import type { ProgressStore } from './progressStore.ts';
import { groupChanges, type TrackedChange, type TransactionDelta, withChanges } from './trackedChange.ts';
import {
  fromTransactionItem,
  type ItemOptions,
  type TrackedTransaction,
  toTransactionItem,
} from './transactionItem.ts';

export interface TrackingOptions extends ItemOptions {
  /** Partitions of the hub. */
  readonly partitions: number;
  readonly idleMs: number;
}

/** What a batch tells, by partition where it concerns one. */
export interface Recording {
  readonly changes: readonly TrackedChange[];
  /** How far the partitions have come with it. */
  readonly progress?: ReadonlyMap<string, Streams>;
  /** Dead letters that cannot be told to any database yet. */
  readonly strays?: ReadonlyMap<string, readonly Stray[]>;
}

/** Records how far transactions and partitions have come. One lives as long as the process. */
export class Tracking {
  readonly store: ProgressStore;
  readonly options: TrackingOptions;
  /** In milliseconds. */
  readonly now: () => number;
  readonly streams = new KnownStreams();
  readonly outages = new OutageMemory();
  readonly partitions: PartitionItems;

  constructor(store: ProgressStore, options: TrackingOptions, now: () => number = Date.now) {
    this.store = store;
    this.options = options;
    this.now = now;
    this.partitions = new PartitionItems(store, options.partitions);
  }

  /** Asks what other instances have learned of streams that are unknown here; of the same one not all the time. */
  async lookUp(streams: Iterable<string>, deadline: Deadline): Promise<void> {
    const now = this.now();
    const due = this.streams.toAskFor(streams, now);
    if (due.length === 0) return;
    for (const [stream, databases] of streamsIn(await this.partitions.read(deadline.signal)))
      for (const known of databases.toReversed()) this.streams.learn(stream, known);
    this.streams.askedFor(due, now);
  }

  /**
   * One write for each transaction that learns something. The last of them carries how far the partitions have come,
   * since everything that this tells has to be durable before; only where nothing is written is that written by itself.
   * @throws OutageError at the deadline.
   */
  async record(
    { changes, progress = new Map(), strays = new Map() }: Recording,
    deadline: Deadline,
  ): Promise<void> {
    for (const partition of progress.keys()) await this.partitions.noteNumber(Number(partition), deadline);
    const now = this.now();
    const deltas = groupChanges(changes, now);
    const partitions = [...progress].map(([partition, streams]) => ({
      partition,
      streams,
      ...addressOf(partition),
    }));
    const read = await readItems([...deltas, ...partitions], this.store, deadline.signal);
    const known = read.map((one) => ('kind' in one ? undefined : one));
    const knownPartitions = new Map(
      partitions.map(({ partition }, index) => [partition, known[deltas.length + index]]),
    );
    const carried = carriedBy(progress, strays, knownPartitions, now);
    const joining = deltas.map((delta, index) => this.#joining(delta, carried, known[index]));
    const done = await joinItems(joining, this.store, deadline, 'recording transactions in Cosmos DB');
    const straysOf = (partition: string) =>
      new Map(strays.get(partition)?.map((one) => [strayKey(one), one]));
    const left = new Set([...progress.keys(), ...strays.keys()].filter((one) => !(done && carried.has(one))));
    await this.partitions.join(
      [...left].map((partition) => ({
        partition,
        join: (before) => withBatch(withStrays(before, straysOf(partition)), progress.get(partition), now),
        known: knownPartitions.get(partition),
      })),
      deadline,
    );
  }

  #joining(delta: TransactionDelta, carried: Carried, known: KnownItem | undefined): Joining {
    const { id, pkkey } = delta;
    const itemOf = (tracked: TrackedTransaction | undefined): object | undefined =>
      tracked === undefined ? undefined : toTransactionItem(tracked, this.options);
    const join = (stored: unknown) => withChanges(fromTransactionItem(stored), delta);
    const joinLast = (stored: unknown): TrackedTransaction | undefined => {
      const tracked = join(stored);
      if (tracked === undefined) return undefined;
      const all = joinCarried([tracked.carried ?? nothingCarried, carried]);
      return sizeOf(all) > MAX_CARRIED_STREAMS ? undefined : { ...tracked, carried: all };
    };
    return {
      id,
      pkkey,
      join: (stored) => itemOf(join(stored)),
      ...(carried.size > 0 && { joinLast: (stored) => itemOf(joinLast(stored)) }),
      known,
    };
  }

  /** Tells those whose database is known now to their transactions. @param read what `PartitionItems.read` gave. */
  async settleStrays(read: readonly PartitionProgress[], deadline: Deadline): Promise<void> {
    const streams = streamsIn(read);
    for (const [index, { strays }] of read.entries()) {
      const settled = [...strays].flatMap(([key, { stream, ...change }]) => {
        const known = streams.get(stream)?.[0];
        return known === undefined ? [] : [{ key, change: { ...change, ...known, table: undefined } }];
      });
      if (settled.length === 0) continue;
      await this.record({ changes: settled.map(({ change }) => change) }, deadline);
      const keys = new Set(settled.map(({ key }) => key));
      const partition = index < read.length - 1 ? String(index) : ELSEWHERE;
      const join = (known: PartitionProgress): PartitionProgress => ({
        ...known,
        strays: new Map([...known.strays].filter(([key]) => !keys.has(key))),
      });
      await this.partitions.join([{ partition, join }], deadline);
    }
  }
}

/** @param streams undefined for a batch that does not tell how far its partition has come. */
function withBatch(known: PartitionProgress, streams: Streams | undefined, now: number): PartitionProgress {
  if (streams === undefined) return known;
  const recovered = known.failing === undefined ? known.recovered : Math.max(known.recovered, now);
  return { ...known, streams: joinStreams(known.streams, streams), failing: undefined, recovered };
}

/** A partition that tells more than that is written by itself, and so is one whose mark is not known. */
function carriedBy(
  progress: ReadonlyMap<string, Streams>,
  strays: ReadonlyMap<string, readonly Stray[]>,
  known: ReadonlyMap<string, KnownItem | undefined>,
  now: number,
): Carried {
  return new Map(
    [...progress].flatMap(([partition, streams]): [string, CarriedProgress][] => {
      const item = known.get(partition);
      if (item === undefined || strays.has(partition)) return [];
      const { failing } = fromPartitionItem(item.stored);
      return [[partition, { streams, settles: new Map(failing && [[failing.id, now]]) }]];
    }),
  );
}
