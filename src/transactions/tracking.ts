import type { Deadline } from '../deadline.ts';
import { OutageError } from '../errors/outageError.ts';
import { MAX_CARRIED_STREAMS, MAX_CARRYING_TRANSACTIONS, MAX_HUB_PARTITIONS } from '../limits.ts';
import {
  type Carried,
  type CarriedProgress,
  fromStoredCarried,
  joinCarried,
  nothingCarried,
  type StoredCarried,
  sizeOf,
  withCarried,
} from './carriedProgress.ts';
import { type Joining, joinItems, type KnownItem, readItems } from './joinItems.ts';
import { KnownStreams } from './knownStreams.ts';
import { OutageMemory } from './outageMemory.ts';
import {
  ELSEWHERE,
  type FailingBatch,
  fromPartitionItem,
  joinStreams,
  noProgress,
  type PartitionProgress,
  partitionItemId,
  type Stray,
  type Streams,
  strayKey,
  streamsIn,
  toPartitionItem,
  withStrays,
} from './partitionProgress.ts';
import type { ProgressOutcome, ProgressStore } from './progressStore.ts';
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
  #noted = 0;

  constructor(store: ProgressStore, options: TrackingOptions, now: () => number = Date.now) {
    this.store = store;
    this.options = options;
    this.now = now;
  }

  /** Asks what other instances have learned of streams that are unknown here; of the same one not all the time. */
  async lookUp(streams: Iterable<string>, deadline: Deadline): Promise<void> {
    const now = this.now();
    const due = this.streams.toAskFor(streams, now);
    if (due.length === 0) return;
    for (const [stream, databases] of streamsIn(await this.readPartitions(deadline.signal)))
      for (const known of databases.toReversed()) this.streams.learn(stream, known);
    this.streams.askedFor(due, now);
  }

  /**
   * How far the partitions have come: those of the hub in their order, then what came from {@link ELSEWHERE}.
   * @throws OutageError when Cosmos DB does not tell.
   */
  async readPartitions(signal: AbortSignal): Promise<readonly PartitionProgress[]> {
    // What is moved from the one to the other meanwhile must be seen at least once.
    const stored = await this.store.carrying(MAX_CARRYING_TRANSACTIONS, signal);
    const carried = joinCarried(stored.values().map((one) => fromStoredCarried(one as StoredCarried)));
    const { partitions } = this.options;
    const read = await this.#read([...Array(partitions).keys(), ELSEWHERE], carried, signal);
    const elsewhere = read.pop() ?? noProgress;
    const more = Array.from(
      { length: Math.max(0, elsewhere.partitions - partitions) },
      (_, n) => partitions + n,
    );
    return [...read, ...(more.length === 0 ? [] : await this.#read(more, carried, signal)), elsewhere];
  }

  async #read(
    partitions: readonly (number | string)[],
    carried: Carried,
    signal: AbortSignal,
  ): Promise<PartitionProgress[]> {
    const ids = partitions.map((partition) => partitionItemId(String(partition)));
    const outcomes = await this.store.execute(
      ids.map((id) => ({ kind: 'read', id, pkkey: id })),
      signal,
    );
    return partitions.map((partition, index) => {
      const known = storedOf(outcomes[index], fromPartitionItem, `the item ${ids[index]}`);
      const more = carried.get(String(partition));
      return more === undefined ? known : withCarried(known, more);
    });
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
    for (const partition of progress.keys()) await this.#noteNumber(Number(partition), deadline);
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
    await this.#joinPartitions(
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

  /** Moves what transactions carry to where it stays: before they end. @throws OutageError at the deadline. */
  async keepCarried(transactions: readonly TrackedTransaction[], deadline: Deadline): Promise<void> {
    const carried = joinCarried(transactions.map((one) => one.carried ?? nothingCarried));
    await this.#joinPartitions(
      [...carried].map(([partition, one]) => ({ partition, join: (known) => withCarried(known, one) })),
      deadline,
    );
  }

  /** Tells those whose database is known now to their transactions. @param read what {@link readPartitions} gave. */
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
      await this.#joinPartitions([{ partition, join }], deadline);
    }
  }

  /** Notes that a batch fails: what it holds is not to be taken for handled because its partition is silent. */
  async markFailing(partition: string, failing: FailingBatch, deadline: Deadline): Promise<void> {
    await this.#noteNumber(Number(partition), deadline);
    await this.#joinPartitions([{ partition, join: (known) => ({ ...known, failing }) }], deadline);
  }

  /** A hub can get more partitions than HUB_PARTITIONS tells, and they must be waited for, too. */
  async #noteNumber(partition: number, deadline: Deadline): Promise<void> {
    const isMore = partition >= Math.max(this.options.partitions, this.#noted);
    if (!isMore || partition >= MAX_HUB_PARTITIONS) return;
    const partitions = partition + 1;
    const join = (known: PartitionProgress): PartitionProgress => ({
      ...known,
      partitions: Math.max(known.partitions, partitions),
    });
    await this.#joinPartitions([{ partition: ELSEWHERE, join }], deadline);
    this.#noted = partitions;
  }

  async #joinPartitions(joining: readonly JoiningPartition[], deadline: Deadline): Promise<void> {
    const items = joining.map(({ partition, join, known }): Joining => {
      const address = addressOf(partition);
      return {
        ...address,
        join: (stored) => toPartitionItem(address.id, join(fromPartitionItem(stored))),
        known,
      };
    });
    await joinItems(items, this.store, deadline, 'recording partitions in Cosmos DB');
  }
}

interface JoiningPartition {
  readonly partition: string;
  readonly join: (known: PartitionProgress) => PartitionProgress;
  readonly known?: KnownItem | undefined;
}

/** @param streams undefined for a batch that does not tell how far its partition has come. */
function withBatch(known: PartitionProgress, streams: Streams | undefined, now: number): PartitionProgress {
  if (streams === undefined) return known;
  const recovered = known.failing === undefined ? known.recovered : Math.max(known.recovered, now);
  return { ...known, streams: joinStreams(known.streams, streams), failing: undefined, recovered };
}

function addressOf(partition: string): { readonly id: string; readonly pkkey: string } {
  const id = partitionItemId(partition);
  return { id, pkkey: id };
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

/** @throws OutageError when the item could not be read. */
export function storedOf<Item>(
  outcome: ProgressOutcome | undefined,
  parse: (stored: unknown) => Item,
  what: string,
): Item {
  if (outcome?.kind === 'ok') return parse(outcome.stored);
  if (outcome?.kind === 'missing') return parse(undefined);
  const reason = outcome?.kind === 'unknown' ? outcome.reason : (outcome?.kind ?? 'no answer');
  throw new OutageError(`Cosmos DB: ${what} could not be read (${reason}); it is tried again`);
}
