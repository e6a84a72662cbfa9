import { OutageError } from '../errors/outageError.ts';
import { MAX_PARKED_HOLDS } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import type { Parking } from '../parking/parking.ts';
import { type Commit, commitOf, transactionId } from '../transactions/commit.ts';
import { type KnownStream, type PartitionProgress, streamsIn } from '../transactions/partitionProgress.ts';
import { storedOf } from '../transactions/storedOf.ts';
import type { Tracking } from '../transactions/tracking.ts';
import {
  fromTransactionItem,
  type TrackedTransaction,
  transactionKey,
} from '../transactions/transactionItem.ts';

/** Parked events that are still to be applied. */
export interface ParkedHolds {
  /** Places in the history of a database, those of streams that may be any database's included. */
  of(db: string, epoch: number): readonly Commit[];
  /** When the oldest of them was parked, in milliseconds. */
  readonly oldest: number | undefined;
}

/**
 * Lists what is parked and leaves out what was applied all the same: copies that came late, or apart from an event
 * that came whole. The listing comes before the transactions are read, since an event is recorded before its
 * segments are removed.
 * @throws OutageError when Blob storage or Cosmos DB does not tell, or when there is too much.
 */
export async function parkedHolds(
  parking: Parking,
  tracking: Tracking,
  partitions: readonly PartitionProgress[],
  signal: AbortSignal,
): Promise<ParkedHolds> {
  const databases = streamsIn(partitions);
  const parked: Parked[] = [];
  for await (const { event, segments, releasedAt } of parking.groups(signal)) {
    if (releasedAt !== undefined || segments.length === 0) continue;
    if (parked.length >= MAX_PARKED_HOLDS)
      throw new OutageError(
        `more than ${MAX_PARKED_HOLDS} events are parked; the watermark stays where it is`,
      );
    const since = Math.min(...segments.map(({ parkedAt }) => parkedAt.getTime()));
    parked.push({ event, since, streams: databases.get(event.streamGroup) ?? [] });
  }
  const left = await notHandled(parked, tracking, signal);
  const since = left.map((one) => one.since);
  return {
    of: (db, epoch) =>
      left.flatMap(({ event, streams }) => {
        if (streams.length === 0) return [commitOf(epoch, event.lsn)];
        return streams
          .filter((stream) => stream.db === db)
          .map((stream) => commitOf(stream.epoch, event.lsn));
      }),
    oldest: since.length === 0 ? undefined : Math.min(...since),
  };
}

interface Parked {
  readonly event: LogicalId;
  readonly since: number;
  /** The event may be any of these databases'; of any at all when there are none. */
  readonly streams: readonly KnownStream[];
}

async function notHandled(
  parked: readonly Parked[],
  tracking: Tracking,
  signal: AbortSignal,
): Promise<readonly Parked[]> {
  const byKey = new Map<
    string,
    { readonly id: string; readonly pkkey: string; tracked?: TrackedTransaction }
  >();
  const addressesOf = ({ event, streams }: Parked) =>
    streams.map(({ db, epoch }) => {
      const commit = commitOf(epoch, event.lsn);
      return { id: transactionId(commit), pkkey: transactionKey(db, commit) };
    });
  for (const address of parked.flatMap(addressesOf)) byKey.set(address.pkkey, address);
  const entries = [...byKey.values()];
  if (entries.length > 0) {
    const outcomes = await tracking.store.execute(
      entries.map(({ id, pkkey }) => ({ kind: 'read', id, pkkey })),
      signal,
    );
    for (const [index, entry] of entries.entries()) {
      const tracked = storedOf(outcomes[index], fromTransactionItem, `the transaction ${entry.id}`);
      if (tracked !== undefined) entry.tracked = tracked;
    }
  }
  return parked.filter((one) =>
    addressesOf(one).every(({ pkkey }) => {
      const tracked = byKey.get(pkkey)?.tracked;
      return tracked === undefined || !hasEnded(Number(one.event.sequence), tracked);
    }),
  );
}

/** A segment that contradicts another is put aside alone: the event may still wait for the others. */
const OF_SEGMENTS = 'segment-conflict';

function hasEnded(number: number, { state: { handled, dead } }: TrackedTransaction): boolean {
  return (
    handled.values().some((set) => set.has(number)) ||
    dead
      .entries()
      .some(([reason, byTable]) => reason !== OF_SEGMENTS && byTable.values().some((set) => set.has(number)))
  );
}
