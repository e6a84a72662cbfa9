import type { Lsn } from '../model/lsn.ts';
import { type Commit, commitOf, transactionId } from './commit.ts';
import type { ItemAddress } from './progressStore.ts';
import { SequenceSet } from './sequenceSet.ts';
import { type TrackedTransaction, transactionKey } from './transactionItem.ts';
import { addsTo, arrivedIn, joinStates, type TransactionState, withoutNumbers } from './transactionState.ts';

/** What tracking takes of a change that has come to its end. */
export interface TrackedChange {
  readonly db: string;
  readonly epoch: number;
  readonly lsn: Lsn;
  /** Number of the change within its transaction; undefined when it has none. */
  readonly number: number | undefined;
  /** `database.schema.table`; undefined when it did not get as far as telling it. */
  readonly table: string | undefined;
  /** Commit time, UTC. */
  readonly time: string | null;
  /** Reason code, when it was put aside. */
  readonly reason?: string;
}

/** What the changes of one transaction add to it. */
export interface TransactionDelta extends ItemAddress {
  readonly db: string;
  readonly commit: Commit;
  readonly state: TransactionState;
}

/** @param now in milliseconds. */
export function groupChanges(changes: readonly TrackedChange[], now: number): readonly TransactionDelta[] {
  const groups = Map.groupBy(changes, ({ db, epoch, lsn }) => transactionKey(db, commitOf(epoch, lsn)));
  return [...groups].flatMap(([pkkey, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const commit = commitOf(first.epoch, first.lsn);
    const state = stateOf(group, now);
    return [{ id: transactionId(commit), pkkey, db: first.db, commit, state }];
  });
}

/**
 * A transaction with more of its changes; undefined when it knows them all. One that has ended begins again.
 */
export function withChanges(
  stored: TrackedTransaction | undefined,
  { db, commit, state }: TransactionDelta,
): TrackedTransaction | undefined {
  if (stored === undefined)
    return { db, commit, state, late: 0, reported: { missing: 0, late: 0 }, end: undefined };
  if (!addsTo(stored.state, state)) return undefined;
  const late = stored.end === undefined ? 0 : arrivedIn(state).without(arrivedIn(stored.state)).size;
  return {
    ...stored,
    state: joinStates(stored.state, state),
    late: stored.late + late,
    end: undefined,
  };
}

function stateOf(changes: readonly TrackedChange[], now: number): TransactionState {
  const empty = { firstSeen: now, time: null, handled: new Map(), dead: new Map(), untracked: false };
  const groups = Map.groupBy(changes, ({ table = '', reason = '' }) => JSON.stringify([table, reason]));
  return [...groups.values()].reduce<TransactionState>(
    (state, group) => joinStates(state, { ...empty, ...setsOf(group) }),
    empty,
  );
}

function setsOf(group: readonly TrackedChange[]): Pick<TransactionState, 'time'> & Partial<TransactionState> {
  const times = group.flatMap(({ time }) => (time === null ? [] : [time])).sort();
  const time = times.at(-1) ?? null;
  const numbers = group.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const { table = '', reason } = group[0] ?? {};
  if (numbers.length < group.length)
    return {
      time,
      untracked: true,
      ...(reason !== undefined && { dead: new Map([[reason, withoutNumbers]]) }),
    };
  const byTable = new Map([[table, SequenceSet.ofNumbers(numbers)]]);
  return reason === undefined ? { time, handled: byTable } : { time, dead: new Map([[reason, byTable]]) };
}
