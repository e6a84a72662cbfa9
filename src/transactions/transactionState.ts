import { MAX_TRANSACTION_CELLS } from '../limits.ts';
import { SequenceSet } from './sequenceSet.ts';

/**
 * All that is known of a transaction: which of its changes have arrived, as sequence numbers. `join` of two states is
 * commutative, associative and idempotent, so it does not matter how often, in what order and by whom changes are told.
 */
export interface TransactionState {
  /** When its first change was recorded, in milliseconds. */
  readonly firstSeen: number;
  /** Newest commit time told, UTC; null when none was. */
  readonly time: string | null;
  /** Changes that were applied, superseded or excluded, by `database.schema.table`. */
  readonly handled: SequencesByName;
  /** Changes that were put aside, by reason code. */
  readonly dead: ReadonlyMap<string, SequencesByTable>;
  /**
   * The changes have no numbers, or too high ones for so many tables (`MAX_TRANSACTION_CELLS`). Then nothing is
   * counted any more: the transaction ends, without counts. Of `dead` only the reasons are left.
   */
  readonly untracked: boolean;
}

export type SequencesByName = ReadonlyMap<string, SequenceSet>;
/** The table is empty where a change did not get as far as telling it. */
type SequencesByTable = SequencesByName;

export function joinStates(a: TransactionState, b: TransactionState): TransactionState {
  const sum = {
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    time: a.time === null || (b.time !== null && b.time > a.time) ? b.time : a.time,
  };
  if (a.untracked || b.untracked) return { ...sum, ...reasonsOnly(a, b) };
  const state = {
    ...sum,
    handled: joinMaps(a.handled, b.handled, (one, other) => one.union(other)),
    dead: joinMaps(a.dead, b.dead, (one, other) => joinMaps(one, other, (x, y) => x.union(y))),
    untracked: false,
  };
  return cellsOf(state) <= MAX_TRANSACTION_CELLS ? state : { ...sum, ...reasonsOnly(a, b) };
}

/** Whether `more` tells a change that `state` does not know. */
export function addsTo(state: TransactionState, more: TransactionState): boolean {
  if (state.untracked) return more.dead.keys().some((reason) => !state.dead.has(reason));
  if (more.untracked) return true;
  const isNew = (known: SequencesByName | undefined, told: SequencesByName): boolean =>
    told.entries().some(([name, set]) => set.without(known?.get(name) ?? SequenceSet.empty).size > 0);
  return (
    isNew(state.handled, more.handled) ||
    more.dead.entries().some(([reason, byTable]) => isNew(state.dead.get(reason), byTable))
  );
}

/** When the source committed, in milliseconds; when the first change was recorded, where none tells. */
export function committedAt({ time, firstSeen }: TransactionState): number {
  const committed = Date.parse(time ?? '');
  return Number.isNaN(committed) ? firstSeen : committed;
}

/** Changes that have arrived, however they ended. */
export function arrivedIn({ handled, dead }: TransactionState): SequenceSet {
  return unionOf([...handled.values(), ...dead.values().flatMap((byTable) => byTable.values())]);
}

/** Changes of each table that have arrived, however they ended. */
export function arrivedByTable({ handled, dead }: TransactionState): SequencesByName {
  const tables = new Map(handled);
  for (const byTable of dead.values()) {
    for (const [table, set] of byTable) {
      if (table !== '') tables.set(table, (tables.get(table) ?? SequenceSet.empty).union(set));
    }
  }
  return tables;
}

/** Changes that were put aside and have not been applied since, by reason code; one of each when nothing is counted. */
export function deadLettersIn({ handled, dead }: TransactionState): ReadonlyMap<string, SequenceSet> {
  const done = unionOf(handled.values());
  const left = new Map<string, SequenceSet>();
  for (const [reason, byTable] of dead) {
    const set = unionOf(byTable.values()).without(done);
    if (set.size > 0) left.set(reason, set);
  }
  return left;
}

/** Stands for changes without numbers that were put aside: the watermark must tell that there are some. */
export const withoutNumbers: SequencesByTable = new Map([['', SequenceSet.ofNumbers([0])]]);

function reasonsOnly(
  a: TransactionState,
  b: TransactionState,
): Pick<TransactionState, 'handled' | 'dead' | 'untracked'> {
  const dead = new Map([...a.dead.keys(), ...b.dead.keys()].map((reason) => [reason, withoutNumbers]));
  return { handled: new Map(), dead, untracked: true };
}

/** Bits that the sets would take: it can only grow, whatever is joined. */
function cellsOf({ handled, dead }: TransactionState): number {
  const sets = [...handled.values(), ...dead.values().flatMap((byTable) => byTable.values())];
  return sets.length * Math.max(0, ...sets.map(({ highest }) => highest));
}

function joinMaps<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  join: (one: Value, other: Value) => Value,
): ReadonlyMap<string, Value> {
  const joined = new Map(a);
  for (const [name, value] of b) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? value : join(known, value));
  }
  return joined;
}

function unionOf(sets: Iterable<SequenceSet>): SequenceSet {
  return SequenceSet.of([...sets].flatMap(({ ranges }) => ranges));
}
