import { FAILING_MARK_MS, STREAM_QUIET_MS } from '../limits.ts';
import type { Commit } from './commit.ts';
import type { PartitionProgress, StreamProgress } from './partitionProgress.ts';
import type { ClosedBy } from './transactionItem.ts';

/** How far the hub has been handled: read before the transactions that are judged by it. */
export interface Horizon {
  /** All partitions of the hub, by id. */
  readonly partitions: readonly PartitionProgress[];
  /** Time without arrivals after which a partition is taken to hold nothing more, in milliseconds. */
  readonly idleMs: number;
  /** When reading began, in milliseconds. */
  readonly now: number;
}

/** A transaction as far as its end depends on it. */
export interface OpenTransaction {
  readonly db: string;
  readonly commit: Commit;
  readonly firstSeen: number;
}

/**
 * Whether a transaction is over: of each stream of its database every partition has moved past it, or has been
 * silent for so long that nothing is to be expected. CES writes each stream group's changes into each partition in the
 * order of their commits, apart from repeats.
 */
export function closedBy(transaction: OpenTransaction, horizon: Horizon): ClosedBy | undefined {
  const { partitions, idleMs, now } = horizon;
  if (partitions.some((partition) => isHeldByFailure(transaction, partition, now))) return undefined;
  const isSilent = (arrived: number): boolean => now - Math.max(arrived, transaction.firstSeen) >= idleMs;
  const streams = streamsOf(transaction.db, horizon);
  // What came without telling its partition.
  if (streams.length === 0) return isSilent(0) ? 'idle' : undefined;
  let by: ClosedBy = 'position';
  for (const stream of streams) {
    for (const partition of partitions) {
      const progress = partition.streams.get(stream);
      if (progress !== undefined && progress.commit > transaction.commit) continue;
      if (!isSilent(progress?.arrived ?? 0)) return undefined;
      by = 'idle';
    }
  }
  return by;
}

/** Streams of a database that are in use: a stream group that is created anew leaves the old one behind. */
function streamsOf(db: string, { partitions, now }: Horizon): readonly string[] {
  const isInUse = (progress: StreamProgress): boolean =>
    progress.db === db && now - progress.arrived < STREAM_QUIET_MS;
  const inUse = partitions.flatMap(({ streams }) =>
    [...streams].flatMap(([stream, progress]) => (isInUse(progress) ? [stream] : [])),
  );
  return [...new Set(inUse)];
}

function isHeldByFailure(
  { db, commit }: OpenTransaction,
  { failing }: PartitionProgress,
  now: number,
): boolean {
  // An instance that lost the partition leaves its mark behind for ever.
  if (failing === undefined || now - failing.at >= FAILING_MARK_MS) return false;
  return failing.holds.some(
    (hold) =>
      (hold.db === undefined || hold.db === db) && (hold.commit === undefined || hold.commit <= commit),
  );
}
