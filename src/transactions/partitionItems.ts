import type { Deadline } from '../deadline.ts';
import { MAX_CARRYING_TRANSACTIONS, MAX_HUB_PARTITIONS } from '../limits.ts';
import {
  type Carried,
  fromStoredCarried,
  joinCarried,
  type StoredCarried,
  withCarried,
} from './carriedProgress.ts';
import { type Joining, joinItems, type KnownItem } from './joinItems.ts';
import {
  ELSEWHERE,
  type FailingBatch,
  fromPartitionItem,
  noProgress,
  type PartitionProgress,
  partitionItemId,
  toPartitionItem,
} from './partitionProgress.ts';
import type { ItemAddress, ProgressStore } from './progressStore.ts';
import { storedOf } from './storedOf.ts';

/** The items of the partitions, and what transactions carry of them. */
export class PartitionItems {
  readonly #store: ProgressStore;
  /** HUB_PARTITIONS. */
  readonly #told: number;
  #noted = 0;

  constructor(store: ProgressStore, told: number) {
    this.#store = store;
    this.#told = told;
  }

  /**
   * How far the partitions have come: those of the hub in their order, then what came from {@link ELSEWHERE}.
   * @throws OutageError when Cosmos DB does not tell.
   */
  async read(signal: AbortSignal): Promise<readonly PartitionProgress[]> {
    // What is moved from the one to the other meanwhile must be seen at least once.
    const stored = await this.#store.carrying(MAX_CARRYING_TRANSACTIONS, signal);
    const carried = joinCarried(stored.values().map((one) => fromStoredCarried(one as StoredCarried)));
    const read = await this.#readSome([...Array(this.#told).keys(), ELSEWHERE], carried, signal);
    const elsewhere = read.pop() ?? noProgress;
    const more = Array.from(
      { length: Math.max(0, elsewhere.partitions - this.#told) },
      (_, n) => this.#told + n,
    );
    return [...read, ...(more.length === 0 ? [] : await this.#readSome(more, carried, signal)), elsewhere];
  }

  async #readSome(
    partitions: readonly (number | string)[],
    carried: Carried,
    signal: AbortSignal,
  ): Promise<PartitionProgress[]> {
    const ids = partitions.map((partition) => partitionItemId(String(partition)));
    const outcomes = await this.#store.execute(
      ids.map((id) => ({ kind: 'read', id, pkkey: id })),
      signal,
    );
    return partitions.map((partition, index) => {
      const known = storedOf(outcomes[index], fromPartitionItem, `the item ${ids[index]}`);
      const more = carried.get(String(partition));
      return more === undefined ? known : withCarried(known, more);
    });
  }

  /** Moves what transactions carry to where it stays. @throws OutageError at the deadline. */
  async keep(carried: Carried, deadline: Deadline): Promise<void> {
    await this.join(
      [...carried].map(([partition, one]) => ({ partition, join: (known) => withCarried(known, one) })),
      deadline,
    );
  }

  /** Notes that a batch fails: what it holds is not to be taken for handled because its partition is silent. */
  async markFailing(partition: string, failing: FailingBatch, deadline: Deadline): Promise<void> {
    await this.noteNumber(Number(partition), deadline);
    await this.join([{ partition, join: (known) => ({ ...known, failing }) }], deadline);
  }

  /** A hub can get more partitions than HUB_PARTITIONS tells, and they must be waited for, too. */
  async noteNumber(partition: number, deadline: Deadline): Promise<void> {
    const isMore = partition >= Math.max(this.#told, this.#noted);
    if (!isMore || partition >= MAX_HUB_PARTITIONS) return;
    const partitions = partition + 1;
    const join = (known: PartitionProgress): PartitionProgress => ({
      ...known,
      partitions: Math.max(known.partitions, partitions),
    });
    await this.join([{ partition: ELSEWHERE, join }], deadline);
    this.#noted = partitions;
  }

  /** @throws OutageError at the deadline. */
  async join(joining: readonly JoiningPartition[], deadline: Deadline): Promise<void> {
    const items = joining.map(({ partition, join, known }): Joining => {
      const address = addressOf(partition);
      return {
        ...address,
        join: (stored) => toPartitionItem(address.id, join(fromPartitionItem(stored))),
        known,
      };
    });
    await joinItems(items, this.#store, deadline, 'recording partitions in Cosmos DB');
  }
}

export interface JoiningPartition {
  readonly partition: string;
  readonly join: (known: PartitionProgress) => PartitionProgress;
  readonly known?: KnownItem | undefined;
}

export function addressOf(partition: string): ItemAddress {
  const id = partitionItemId(partition);
  return { id, pkkey: id };
}
