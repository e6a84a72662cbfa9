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
import { SomeWatermarksFailed } from './someWatermarksFailed.ts';

/**
 * Ends the transactions that are over, and moves the watermark of each database. What is read in what order decides:
 * first how far the partitions are, then what is parked, then the transactions. Whatever came before the first was
 * recorded then, and is seen by the others.
 * @param pauseMs between the first and the others, so that reads have caught up.
 * @throws SomeWatermarksFailed after all others were looked at, when something of a database cannot be read.
 * @throws OutageError when it cannot be read which databases there are.
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
  const read = await tracking.partitions.read(signal);
  const silentSince = tracking.outages.runs(now);
  const horizon: Horizon = { partitions: read.slice(0, -1), idleMs: options.idleMs, now, silentSince };
  const epochs = epochsOf(read);
  const databases = [...epochs.keys(), ...(await forgotten(read, [...epochs.keys()], tracking, signal))];
  if (databases.length === 0) return [];
  const readParked = async (): Promise<ParkedHolds> => {
    await tracking.settleStrays(read, deadline);
    if (pauseMs > 0) await deadline.sleep(pauseMs);
    return parkedHolds(parking, tracking, read, signal);
  };
  const parked = await readParked().catch((error: unknown) => {
    throw new SomeWatermarksFailed(
      [],
      databases,
      databases.map((db) => ({ db, error })),
    );
  });
  const until = performance.now() + CATCH_UP_MS / databases.length;
  const moveOne = async (db: string, index: number): Promise<WatermarkReport> => {
    const judge = closingIn(db, horizon);
    const holds = { commits: parked.of(db, epochs.get(db) ?? 0), oldest: parked.oldest };
    const look = async (): Promise<{ readonly report: WatermarkReport; readonly more: boolean }> => {
      const open = await store.open(db, MAX_OPEN_TRANSACTIONS, signal);
      const report = await moveWatermark({ db, open, judge, holds, now }, tracking, deadline);
      return { report, more: open.length === MAX_OPEN_TRANSACTIONS && report.ended > 0 };
    };
    let { report, more } = await look();
    // Several thousand a run would be fewer than a busy database makes.
    while (more && performance.now() < until + (index * CATCH_UP_MS) / databases.length) {
      const next = await look();
      report = joinReports(report, next.report);
      more = next.more;
    }
    return report;
  };
  const reports: WatermarkReport[] = [];
  const failures: { readonly db: string; readonly error: unknown }[] = [];
  for (const [index, db] of databases.entries()) {
    try {
      reports.push(await moveOne(db, index));
    } catch (error) {
      failures.push({ db, error });
    }
  }
  if (failures.length > 0) throw new SomeWatermarksFailed(reports, databases, failures);
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
  return [...new Set(await store.databases(known, MAX_FORGOTTEN_TRANSACTIONS, signal))];
}

/** Databases that have come up, with their newest epochs. */
function epochsOf(partitions: readonly PartitionProgress[]): ReadonlyMap<string, number> {
  const epochs = new Map<string, number>();
  for (const { streams } of partitions) {
    for (const { db, commit } of streams.values())
      epochs.set(db, Math.max(epochs.get(db) ?? 0, epochOf(commit)));
  }
  return epochs;
}
