import type { Commit } from '../transactions/commit.ts';
import type { FoundItem } from '../transactions/progressStore.ts';
import type { SequenceSet } from '../transactions/sequenceSet.ts';
import { fromTransactionItem, type TrackedTransaction } from '../transactions/transactionItem.ts';
import { arrivedByTable, arrivedIn, type SequencesByName } from '../transactions/transactionState.ts';

/** A transaction whose rows are being given their places. */
export interface Numbering {
  readonly tracked: TrackedTransaction;
  readonly etag: string;
  readonly commit: Commit;
  readonly byTable: SequencesByName;
  /** Numbers of all changes. */
  readonly arrived: SequenceSet;
  /** First number to be looked at when the run began. */
  readonly began: number;
  /** First number of a change whose row may not have its place. */
  from: number;
  /** Rows at `from` are left to the next run. */
  stuck: boolean;
}

/**
 * Undefined where there is nothing to do, or the transaction has not ended before a time.
 * @param before in milliseconds.
 */
export function numberingOf({ stored, etag }: FoundItem, before: number): Numbering | undefined {
  const tracked = fromTransactionItem(stored);
  if (tracked?.end === undefined || tracked.unnumberedFrom === undefined || tracked.end.at >= before)
    return undefined;
  const { state, commit, unnumberedFrom } = tracked;
  return {
    tracked,
    etag,
    commit,
    byTable: arrivedByTable(state),
    arrived: arrivedIn(state),
    began: unnumberedFrom,
    from: unnumberedFrom,
    stuck: false,
  };
}
