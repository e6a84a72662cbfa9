import type { Deadline } from '../deadline.ts';
import { OutageError } from '../errors/outageError.ts';
import { LOOK_UP_EVERY_MS, MAX_HUB_PARTITIONS, MAX_KNOWN_STREAMS, MAX_STREAM_DATABASES } from '../limits.ts';
import { joinItems, type KnownItem } from './joinItems.ts';
import {
  ELSEWHERE,
  type FailingBatch,
  fromPartitionItem,
  joinProgress,
  type KnownStream,
  noProgress,
  type PartitionProgress,
  partitionItemId,
  type Stray,
  strayKey,
  streamsIn,
  toPartitionItem,
} from './partitionProgress.ts';
import type { ProgressOutcome, ProgressStore } from './progressStore.ts';
import { groupChanges, type TrackedChange, withChanges } from './trackedChange.ts';
import { fromTransactionItem, type ItemOptions, toTransactionItem } from './transactionItem.ts';

export interface TrackingOptions extends ItemOptions {
  /** Partitions of the hub. */
  readonly partitions: number;
  readonly idleMs: number;
}

/** Records how far transactions and partitions have come. One lives as long as the process. */
export class Tracking {
  readonly store: ProgressStore;
  readonly options: TrackingOptions;
  /** In milliseconds. */
  readonly now: () => number;
  readonly #streams = new Map<string, readonly KnownStream[]>();
  #noted = 0;
  readonly #lookedUp = new Map<string, number>();
  readonly #partitions = new Map<string, KnownItem>();

  constructor(store: ProgressStore, options: TrackingOptions, now: () => number = Date.now) {
    this.store = store;
    this.options = options;
    this.now = now;
  }

  /** Whose a stream is; undefined as long as no whole event of it has told. */
  stream(stream: string): KnownStream | undefined {
    return this.databases(stream)[0];
  }

  /** All databases that have been told of a stream: one, where GUIDs are what they should be. */
  databases(stream: string): readonly KnownStream[] {
    return this.#streams.get(stream) ?? [];
  }

  learn(stream: string, known: KnownStream): void {
    if (this.#streams.size >= MAX_KNOWN_STREAMS) this.#streams.clear();
    const others = this.databases(stream).filter(({ db }) => db !== known.db);
    this.#streams.set(stream, [known, ...others].slice(0, MAX_STREAM_DATABASES));
  }

  /** Asks what other instances have learned of streams that are unknown here; of the same one not all the time. */
  async lookUp(streams: Iterable<string>, deadline: Deadline): Promise<void> {
    const now = this.now();
    const due = [...new Set(streams)].filter(
      (stream) =>
        !this.#streams.has(stream) && now - (this.#lookedUp.get(stream) ?? -Infinity) >= LOOK_UP_EVERY_MS,
    );
    if (due.length === 0) return;
    if (this.#lookedUp.size >= MAX_KNOWN_STREAMS) this.#lookedUp.clear();
    for (const [stream, databases] of streamsIn(await this.readPartitions(deadline.signal)))
      for (const known of databases.toReversed()) this.learn(stream, known);
    for (const stream of due) this.#lookedUp.set(stream, now);
  }

  /**
   * How far the partitions have come: those of the hub in their order, then what came from {@link ELSEWHERE}.
   * @throws OutageError when Cosmos DB does not tell.
   */
  async readPartitions(signal: AbortSignal): Promise<readonly PartitionProgress[]> {
    const { partitions } = this.options;
    const read = await this.#read([...Array(partitions).keys(), ELSEWHERE], signal);
    const elsewhere = read.pop() ?? noProgress;
    const more = Array.from(
      { length: Math.max(0, elsewhere.partitions - partitions) },
      (_, n) => partitions + n,
    );
    return [...read, ...(more.length === 0 ? [] : await this.#read(more, signal)), elsewhere];
  }

  async #read(partitions: readonly (number | string)[], signal: AbortSignal): Promise<PartitionProgress[]> {
    const ids = partitions.map((partition) => partitionItemId(String(partition)));
    const outcomes = await this.store.execute(
      ids.map((id) => ({ kind: 'read', id, pkkey: id })),
      signal,
    );
    return ids.map((id, index) => storedOf(outcomes[index], fromPartitionItem, `the item ${id}`));
  }

  /** One write for each transaction that learns something. @throws OutageError at the deadline. */
  async recordChanges(changes: readonly TrackedChange[], deadline: Deadline): Promise<void> {
    const joining = groupChanges(changes, this.now()).map((delta) => ({
      id: delta.id,
      pkkey: delta.pkkey,
      join: (stored: unknown) => {
        const tracked = withChanges(fromTransactionItem(stored), delta);
        return tracked === undefined ? undefined : toTransactionItem(tracked, this.options);
      },
    }));
    await joinItems(joining, this.store, deadline, 'recording transactions in Cosmos DB');
  }

  /**
   * Must come after everything it tells is durable, the transactions included.
   * @throws OutageError at the deadline.
   */
  async recordPartition(partition: string, progress: PartitionProgress, deadline: Deadline): Promise<void> {
    await this.#noteNumber(Number(partition), deadline);
    await this.#joinPartition(partition, deadline, (known) => joinProgress(known, progress));
  }

  /** Keeps dead letters that cannot be told to any database yet. */
  async recordStrays(partition: string, strays: readonly Stray[], deadline: Deadline): Promise<void> {
    const more = new Map(strays.map((stray) => [strayKey(stray), stray]));
    await this.#joinPartition(partition, deadline, (known) => ({
      ...joinProgress(known, { ...noProgress, strays: more }),
      failing: known.failing,
    }));
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
      await this.recordChanges(
        settled.map(({ change }) => change),
        deadline,
      );
      const keys = new Set(settled.map(({ key }) => key));
      const partition = index < read.length - 1 ? String(index) : ELSEWHERE;
      await this.#joinPartition(partition, deadline, (known) => ({
        ...known,
        strays: new Map([...known.strays].filter(([key]) => !keys.has(key))),
      }));
    }
  }

  /** Notes that a batch fails: what it holds is not to be taken for handled because its partition is silent. */
  async markFailing(partition: string, failing: FailingBatch, deadline: Deadline): Promise<void> {
    await this.#joinPartition(partition, deadline, (known) => ({ ...known, failing }));
  }

  /** A hub can get more partitions than HUB_PARTITIONS tells, and they must be waited for, too. */
  async #noteNumber(partition: number, deadline: Deadline): Promise<void> {
    const isMore = partition >= Math.max(this.options.partitions, this.#noted);
    if (!isMore || partition >= MAX_HUB_PARTITIONS) return;
    const partitions = partition + 1;
    await this.#joinPartition(ELSEWHERE, deadline, (known) => ({
      ...joinProgress(known, { ...noProgress, partitions }),
      failing: known.failing,
    }));
    this.#noted = partitions;
  }

  async #joinPartition(
    partition: string,
    deadline: Deadline,
    join: (known: PartitionProgress) => PartitionProgress,
  ): Promise<void> {
    const id = partitionItemId(partition);
    const joining = {
      id,
      pkkey: id,
      join: (stored: unknown) => toPartitionItem(id, join(fromPartitionItem(stored))),
      known: this.#partitions.get(id),
    };
    const written = await joinItems([joining], this.store, deadline, 'recording a partition in Cosmos DB');
    const item = written.get(id);
    if (item === undefined) this.#partitions.delete(id);
    else this.#partitions.set(id, item);
  }
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
