import type { Deadline } from '../deadline.ts';
import { MAX_OPEN_TRANSACTIONS } from '../limits.ts';
import { noBoundaries } from '../transactions/boundaries.ts';
import { joinCarried, nothingCarried } from '../transactions/carriedProgress.ts';
import type { OpenTransaction } from '../transactions/closing.ts';
import { type Commit, transactionId } from '../transactions/commit.ts';
import type { FoundItem } from '../transactions/progressStore.ts';
import { storedOf } from '../transactions/storedOf.ts';
import type { Tracking } from '../transactions/tracking.ts';
import {
  type ClosedBy,
  fromTransactionItem,
  gapsIn,
  missingText,
  type TrackedTransaction,
  toTransactionItem,
} from '../transactions/transactionItem.ts';
import { committedAt, deadLettersIn } from '../transactions/transactionState.ts';
import {
  advance,
  fromWatermarkItem,
  toWatermarkItem,
  type Watermark,
  watermarkKey,
} from '../transactions/watermark.ts';

/** What a run found and did for one database. */
export interface WatermarkReport {
  readonly db: string;
  /** Where the watermark is, as a commit LSN; null before the first transaction has ended. */
  readonly lsn: string | null;
  readonly time: string | null;
  /** Dead letters below it. */
  readonly exceptions: number;
  /** Transactions that go on. */
  readonly open: number;
  readonly ended: number;
  /** Of them, ended because partitions were silent. */
  readonly idle: number;
  /** Changes that came after the end of their transaction, in those that ended now. */
  readonly late: number;
  /** Sequence numbers that are missing in those that ended now, not reported before. */
  readonly missing: number;
  /** The first transactions that miss some. */
  readonly gaps: readonly { readonly transaction: string; readonly missing: string }[];
  /** Since the commit of the oldest transaction that goes on, in seconds; 0 when nothing does. */
  readonly lagSeconds: number;
}

export interface Situation {
  readonly db: string;
  /** The oldest open transactions, ascending. */
  readonly open: readonly FoundItem[];
  readonly judge: (transaction: OpenTransaction) => ClosedBy | undefined;
  /** What is parked, and since when. */
  readonly holds: { readonly commits: readonly Commit[]; readonly oldest: number | undefined };
  readonly now: number;
}

/**
 * Ends what is over in one database. The watermark is written first: it follows from how far the partitions are, and a
 * run that ends in between is made up for by the next, which finds the same transactions open.
 */
export async function moveWatermark(
  { db, open, judge, holds, now }: Situation,
  tracking: Tracking,
  deadline: Deadline,
): Promise<WatermarkReport> {
  const { signal } = deadline;
  const found = open.flatMap(({ stored, etag }) => {
    const tracked = fromTransactionItem(stored);
    return tracked === undefined ? [] : [{ tracked, etag }];
  });
  const parked = new Set(holds.commits);
  const ending = found.flatMap(({ tracked, etag }) => {
    const { commit, state } = tracked;
    const by = parked.has(commit) ? undefined : judge({ commit, firstSeen: state.firstSeen });
    if (by === undefined) return [];
    const ended = {
      ...tracked,
      end: { by, at: now },
      ...nextRevision(tracked, tracking),
      ...(tracking.options.withOrder && { unnumberedFrom: 0 }),
    };
    return [{ tracked: ended, etag }];
  });
  const over = new Set(ending.map(({ tracked }) => tracked.commit));
  const goingOn = found.map(({ tracked }) => tracked).filter(({ commit }) => !over.has(commit));
  const held = [
    ...goingOn.map(({ commit }) => commit),
    ...holds.commits,
    // What follows has not been looked at.
    ...(open.length < MAX_OPEN_TRANSACTIONS ? [] : found.slice(-1).map(({ tracked }) => tracked.commit)),
  ].sort();
  const { watermark, done } = await writeWatermark(
    db,
    ending,
    held[0],
    goingOn.length,
    now,
    tracking,
    signal,
  );
  const ended = done ? await writeEnds(ending, tracking, deadline) : [];
  return reportOf(db, watermark, ended, goingOn, holds.oldest, now);
}

/** Each end of a transaction is told apart where it is sent. */
function nextRevision(
  { boundaries }: TrackedTransaction,
  { options }: Tracking,
): Pick<TrackedTransaction, 'boundaries'> {
  if (options.sendsBoundaries !== true && boundaries === undefined) return {};
  const { revision, sent } = boundaries ?? noBoundaries;
  return { boundaries: { revision: revision + 1, sent } };
}

interface Ending {
  readonly tracked: TrackedTransaction & { readonly end: NonNullable<TrackedTransaction['end']> };
  readonly etag: string;
}

/**
 * Not done when it could not be written, or someone else has written it.
 * @throws OutageError when it cannot be read: a report without it would say that nothing is complete.
 */
async function writeWatermark(
  db: string,
  ending: readonly Ending[],
  hold: Commit | undefined,
  open: number,
  now: number,
  { store }: Tracking,
  signal: AbortSignal,
): Promise<{ readonly watermark: Watermark; readonly done: boolean }> {
  const address = { id: 'watermark', pkkey: watermarkKey(db) };
  const [read] = await store.execute([{ kind: 'read', ...address }], signal);
  const known = storedOf(read, fromWatermarkItem, 'the watermark');
  const moved = advance(
    known,
    ending.map(({ tracked: { commit, state } }) => ({
      commit,
      time: state.time,
      deadLetters: Object.fromEntries([...deadLettersIn(state)].map(([reason, set]) => [reason, set.size])),
    })),
    hold,
  );
  if (ending.length === 0 && moved.commit === known.commit) return { watermark: known, done: true };
  const item = toWatermarkItem(db, moved, open, now);
  const [written] = await store.execute(
    [
      read?.kind === 'ok'
        ? { kind: 'replace', ...address, item, etag: read.etag ?? '' }
        : { kind: 'create', ...address, item },
    ],
    signal,
  );
  return written?.kind === 'ok' ? { watermark: moved, done: true } : { watermark: known, done: false };
}

/** One that has changed since it was read goes on, until the next run looks at it. */
async function writeEnds(
  ending: readonly Ending[],
  tracking: Tracking,
  deadline: Deadline,
): Promise<readonly Ending['tracked'][]> {
  if (ending.length === 0) return [];
  const carried = joinCarried(ending.map(({ tracked }) => tracked.carried ?? nothingCarried));
  await tracking.partitions.keep(carried, deadline);
  const outcomes = await tracking.store.execute(
    ending.map(({ tracked, etag }) => {
      const reported = { missing: gapsIn(tracked).size, late: tracked.late };
      const item = toTransactionItem({ ...tracked, reported, carried: undefined }, tracking.options);
      return { kind: 'replace', id: item.id, pkkey: item.pkkey, item, etag };
    }),
    deadline.signal,
  );
  return ending.flatMap(({ tracked }, index) => (outcomes[index]?.kind === 'ok' ? [tracked] : []));
}

/** Transactions with gaps that a report names. */
const NAMED_GAPS = 20;

function reportOf(
  db: string,
  watermark: Watermark,
  ended: readonly Ending['tracked'][],
  goingOn: readonly TrackedTransaction[],
  parkedSince: number | undefined,
  now: number,
): WatermarkReport {
  const item = toWatermarkItem(db, watermark, goingOn.length, now);
  const gaps = ended.flatMap((tracked) => {
    const set = gapsIn(tracked);
    const added = set.size - tracked.reported.missing;
    return added > 0
      ? [
          {
            transaction: transactionId(tracked.commit),
            missing: missingText(set) ?? `${set.size} numbers`,
            added,
          },
        ]
      : [];
  });
  const oldest = [
    ...goingOn.slice(0, 1).map(({ state }) => committedAt(state)),
    ...(parkedSince === undefined ? [] : [parkedSince]),
  ];
  return {
    db,
    lsn: item.lsn,
    time: item.time,
    exceptions: item.exceptions.dead_letters,
    open: goingOn.length,
    ended: ended.length,
    idle: ended.filter(({ end }) => end.by === 'idle').length,
    late: ended.reduce((sum, { late, reported }) => sum + Math.max(0, late - reported.late), 0),
    missing: gaps.reduce((sum, { added }) => sum + added, 0),
    gaps: gaps.slice(0, NAMED_GAPS).map(({ transaction, missing }) => ({ transaction, missing })),
    // The clocks of the source and of this machine differ.
    lagSeconds: oldest.length === 0 ? 0 : Math.max(0, now - Math.min(...oldest)) / 1000,
  };
}

/** The report of a run that looked at one database twice. */
export function joinReports(first: WatermarkReport, second: WatermarkReport): WatermarkReport {
  return {
    ...second,
    ended: first.ended + second.ended,
    idle: first.idle + second.idle,
    late: first.late + second.late,
    missing: first.missing + second.missing,
    gaps: [...first.gaps, ...second.gaps].slice(0, NAMED_GAPS),
  };
}
