import { MAX_REMEMBERED_ENDS, MAX_WATERMARK_EXCEPTIONS } from '../limits.ts';
import { type Commit, lsnOf, parseCommit, transactionId } from './commit.ts';
import { encodeDatabase } from './itemKey.ts';

/** Up to where the replica of a database is complete. It never goes back. */
export interface Watermark {
  /** Undefined before the first transaction has ended. */
  readonly commit: Commit | undefined;
  /** Commit time of that transaction, UTC, where it told one. */
  readonly time: string | null;
  /** Transactions that ended above it, ascending: it moves up to them when nothing below them is open. */
  readonly ends: readonly EndedTransaction[];
  /** Dead letters by commit and reason code, also above it. */
  readonly exceptions: ReadonlyMap<Commit, Reasons>;
  /** Dead letters of transactions that are too old to be listed one by one. */
  readonly olderExceptions: Reasons;
}

export interface EndedTransaction {
  readonly commit: Commit;
  readonly time: string | null;
}

/** Counts by reason code. */
export type Reasons = Readonly<Record<string, number>>;

export const noWatermark: Watermark = {
  commit: undefined,
  time: null,
  ends: [],
  exceptions: new Map(),
  olderExceptions: {},
};

/**
 * Takes in transactions that end now, and moves up to the newest ended one below everything that is not complete.
 * @param hold lowest place of what is open or parked; undefined when nothing is.
 */
export function advance(
  watermark: Watermark,
  ending: readonly (EndedTransaction & { readonly deadLetters: Reasons })[],
  hold: Commit | undefined,
): Watermark {
  const ends = ascending([...watermark.ends, ...ending]);
  const below = ends.filter(({ commit }) => hold === undefined || commit < hold);
  const newest = below.at(-1);
  const moves = newest !== undefined && (watermark.commit === undefined || newest.commit > watermark.commit);
  const { commit, time } = moves ? newest : watermark;
  const exceptions = new Map(watermark.exceptions);
  for (const one of ending) {
    if (Object.keys(one.deadLetters).length > 0) exceptions.set(one.commit, one.deadLetters);
    else exceptions.delete(one.commit);
  }
  return {
    commit,
    time,
    ends: thinned(ends.filter((end) => commit === undefined || end.commit > commit)),
    ...bounded(exceptions, watermark.olderExceptions),
  };
}

export interface WatermarkItem {
  readonly id: 'watermark';
  readonly pkkey: string;
  readonly db: string;
  /** Newest commit LSN up to which every change is applied and nothing is parked; null before the first. */
  readonly lsn: string | null;
  /** The same as the id of a transaction. */
  readonly transaction: string | null;
  readonly commit: Commit | null;
  readonly time: string | null;
  /** Dead letters up to there: what the replica lacks all the same. */
  readonly exceptions: {
    readonly dead_letters: number;
    readonly reasons: Reasons;
    /** By id of the transaction, as many as are remembered. */
    readonly transactions: Readonly<Record<string, Reasons>>;
  };
  /** Transactions that have not ended, as of the last change of this item. */
  readonly open: number;
  /** When it was written, in milliseconds. */
  readonly ts_ms: number;
  readonly _ces: {
    readonly ends: readonly EndedTransaction[];
    readonly exceptions: readonly (readonly [Commit, Reasons])[];
    readonly older: Reasons;
  };
}

export function watermarkKey(db: string): string {
  return `${encodeDatabase(db)}:watermark`;
}

export function toWatermarkItem(db: string, watermark: Watermark, open: number, now: number): WatermarkItem {
  const { commit, time, ends, exceptions, olderExceptions } = watermark;
  const below = [...exceptions].filter(([place]) => commit !== undefined && place <= commit);
  const reasons = sumOf([olderExceptions, ...below.map(([, counts]) => counts)]);
  return {
    id: 'watermark',
    pkkey: watermarkKey(db),
    db,
    lsn: commit === undefined ? null : lsnOf(commit),
    transaction: commit === undefined ? null : transactionId(commit),
    commit: commit ?? null,
    time,
    exceptions: {
      dead_letters: Object.values(reasons).reduce((sum, count) => sum + count, 0),
      reasons,
      transactions: Object.fromEntries(below.map(([place, counts]) => [transactionId(place), counts])),
    },
    open,
    ts_ms: now,
    _ces: { ends, exceptions: [...exceptions], older: olderExceptions },
  };
}

export function fromWatermarkItem(stored: unknown): Watermark {
  const item = stored as WatermarkItem | undefined;
  if (item?._ces === undefined) return noWatermark;
  return {
    commit: parseCommit(item.commit),
    time: item.time,
    ends: item._ces.ends,
    exceptions: new Map(item._ces.exceptions),
    olderExceptions: item._ces.older,
  };
}

function ascending(ends: readonly EndedTransaction[]): readonly EndedTransaction[] {
  const byCommit = new Map(ends.map(({ commit, time }) => [commit, { commit, time }]));
  return [...byCommit.values()].sort((a, b) => (a.commit < b.commit ? -1 : 1));
}

/** Of too many every other one is forgotten, never the last: the watermark then moves in longer steps. */
function thinned(ends: readonly EndedTransaction[]): readonly EndedTransaction[] {
  let left = ends;
  while (left.length > MAX_REMEMBERED_ENDS) {
    const { length } = left;
    left = left.filter((_, index) => (length - 1 - index) % 2 === 0);
  }
  return left;
}

function bounded(
  exceptions: ReadonlyMap<Commit, Reasons>,
  older: Reasons,
): Pick<Watermark, 'exceptions' | 'olderExceptions'> {
  const excess = exceptions.size - MAX_WATERMARK_EXCEPTIONS;
  if (excess <= 0) return { exceptions, olderExceptions: older };
  const oldest = [...exceptions].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, excess);
  const kept = new Map(exceptions);
  for (const [commit] of oldest) kept.delete(commit);
  return { exceptions: kept, olderExceptions: sumOf([older, ...oldest.map(([, counts]) => counts)]) };
}

function sumOf(all: readonly Reasons[]): Reasons {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [reason, count] of Object.entries(counts)) sum[reason] = (sum[reason] ?? 0) + count;
  }
  return sum;
}
