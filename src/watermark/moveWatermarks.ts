import type { Deadline } from '../deadline.ts';
import {
  CATCH_UP_MS,
  MAX_FORGOTTEN_TRANSACTIONS,
  MAX_OPEN_TRANSACTIONS,
  MAX_PARTITION_STREAMS,
  READ_LAG_MS,
} from '../limits.ts';
import type { Parking } from '../parking/parking.ts';
import { closingIn, type Horizon } from '../transactions/closing.ts';
import { epochOf } from '../transactions/commit.ts';
import type { PartitionProgress } from '../transactions/partitionProgress.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { joinReports, moveWatermark, type WatermarkReport } from './moveWatermark.ts';
import { type ParkedHolds, parkedHolds } from './parkedHolds.ts';

/**
 * Ends the transactions that are over, and moves the watermark of each database. What is read in what order decides:
 * first how far the partitions are, then what is parked, then the transactions. Whatever came before the first was
 * recorded then, and is seen by the others.
 * @param pauseMs between the first and the others, so that reads have caught up.
 * @throws OutageError when something cannot be read.
 */
export async function moveWatermarks(
  { parking, tracking }: { readonly parking: Parking; readonly tracking: Tracking },
  deadline: Deadline,
  pauseMs: number = READ_LAG_MS,
): Promise<readonly WatermarkReport[]> {
  const { signal } = deadline;
  const { options, store } = tracking;
  // The time before everything that is read: silence is counted up to here.
  const now = tracking.now();
  const read = await tracking.readPartitions(signal);
  const silentSince = tracking.outages.runs(now);
  const horizon: Horizon = { partitions: read.slice(0, -1), idleMs: options.idleMs, now, silentSince };
  const databases = epochsOf(read);
  if (databases.size === 0) return [];
  await tracking.settleStrays(read, deadline);
  if (pauseMs > 0) await deadline.sleep(pauseMs);
  const parked: ParkedHolds = await parkedHolds(parking, tracking, read, signal);
  for (const db of await forgotten(read, [...databases.keys()], tracking, signal)) databases.set(db, 0);
  const reports: WatermarkReport[] = [];
  const until = performance.now() + CATCH_UP_MS / databases.size;
  for (const [index, [db, epoch]] of [...databases].entries()) {
    const judge = closingIn(db, horizon);
    const holds = { commits: parked.of(db, epoch), oldest: parked.oldest };
    const look = async (): Promise<{ readonly report: WatermarkReport; readonly more: boolean }> => {
      const open = await store.open(db, MAX_OPEN_TRANSACTIONS, signal);
      const report = await moveWatermark({ db, open, judge, holds, now }, tracking, deadline);
      return { report, more: open.length === MAX_OPEN_TRANSACTIONS && report.ended > 0 };
    };
    let { report, more } = await look();
    // Several thousand a run would be fewer than a busy database makes.
    while (more && performance.now() < until + (index * CATCH_UP_MS) / databases.size) {
      const next = await look();
      report = joinReports(report, next.report);
      more = next.more;
    }
    reports.push(report);
  }
  return reports;
}

/** Databases whose streams were forgotten for newer ones: their transactions end all the same. */
async function forgotten(
  partitions: readonly PartitionProgress[],
  known: readonly string[],
  { store }: Tracking,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (partitions.every(({ streams }) => streams.size < MAX_PARTITION_STREAMS)) return [];
  return store.databases(known, MAX_FORGOTTEN_TRANSACTIONS, signal);
}

/** Databases that have come up, with their newest epochs. */
function epochsOf(partitions: readonly PartitionProgress[]): Map<string, number> {
  const epochs = new Map<string, number>();
  for (const { streams } of partitions) {
    for (const { db, commit } of streams.values())
      epochs.set(db, Math.max(epochs.get(db) ?? 0, epochOf(commit)));
  }
  return epochs;
}
