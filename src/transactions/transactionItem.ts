import { MAX_MISSING_CHARACTERS } from '../limits.ts';
import { type Boundaries, noBoundaries, unsentOf } from './boundaries.ts';
import {
  type Carried,
  fromStoredCarried,
  nothingCarried,
  type StoredCarried,
  toStoredCarried,
} from './carriedProgress.ts';
import { type Commit, epochOf, parseCommit, transactionId } from './commit.ts';
import { encodeDatabase } from './itemKey.ts';
import { encodeSequences, parseSequences } from './sequenceCode.ts';
import { SequenceSet } from './sequenceSet.ts';
import {
  arrivedByTable,
  arrivedIn,
  deadLettersIn,
  type SequencesByName,
  type TransactionState,
} from './transactionState.ts';

/** The Cosmos DB item of one transaction, in the shape of Debezium's transaction metadata and more. */
export interface TransactionItem {
  /** Commit LSN as Debezium writes it. */
  readonly id: string;
  readonly pkkey: string;
  readonly db: string;
  readonly status: 'BEGIN' | 'END';
  /** Changes that arrived, however they ended; null while it has not ended, or when it is not tracked. */
  readonly event_count: number | null;
  readonly data_collections: readonly DataCollection[] | null;
  /** When it got this status, in milliseconds. */
  readonly ts_ms: number;
  /** Only of one that has ended. */
  readonly closed_by?: ClosedBy;
  /** Changes that arrived after its end. */
  readonly late?: number;
  /**
   * Sequence numbers that never arrived, such as `3-5`: changes of tables outside the stream group, mostly. Left out
   * where it would be long.
   */
  readonly missing?: string;
  readonly missing_count?: number;
  /** Changes put aside and not applied since, by reason code. */
  readonly dead_letters?: Readonly<Record<string, number>>;
  /** There are no counts: see `TransactionState.untracked`. */
  readonly untracked?: true;
  /** Only of one that began where boundaries are sent: some of it have not been. */
  readonly outbox?: true;
  /** Only of one that has ended: not all rows tell their `data_collection_order` yet. */
  readonly unnumbered?: true;
  /** It carries progress of partitions: see {@link Carried}. */
  readonly carries?: true;
  readonly ttl?: number;
  /** What places are compared by. */
  readonly commit: Commit;
  readonly _ces: StoredState;
}

export interface DataCollection {
  /** `database.schema.table`. */
  readonly data_collection: string;
  readonly event_count: number;
  /** Sequence numbers; the n-th is that of the change with `data_collection_order` n. */
  readonly total_orders?: string;
}

/** `position`: every partition has moved past it. `idle`: some partitions were silent for long enough. */
export type ClosedBy = 'position' | 'idle';

interface StoredState {
  readonly firstSeen: number;
  readonly time?: string;
  readonly handled: Readonly<Record<string, string>>;
  readonly reported?: TrackedTransaction['reported'];
  readonly dead?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly boundaries?: Boundaries;
  readonly unnumberedFrom?: number;
  readonly carried?: StoredCarried;
}

export interface TrackedTransaction {
  readonly db: string;
  readonly commit: Commit;
  readonly state: TransactionState;
  /** Changes that arrived after its end. */
  readonly late: number;
  /** Missing and late changes that were reported when it ended before. */
  readonly reported: { readonly missing: number; readonly late: number };
  /** Undefined while it has not ended. */
  readonly end: TransactionEnd | undefined;
  /** Undefined as long as none were sent of it. */
  readonly boundaries?: Boundaries | undefined;
  /**
   * Since it has ended, rows are given their places: those of changes below this number have theirs. Undefined when
   * there is nothing to do.
   */
  readonly unnumberedFrom?: number | undefined;
  readonly carried?: Carried | undefined;
}

export interface TransactionEnd {
  readonly by: ClosedBy;
  /** In milliseconds. */
  readonly at: number;
}

export interface ItemOptions {
  /** Write the numbers that `data_collection_order` follows from. */
  readonly withOrder: boolean;
  /** Life of the item of an ended transaction, in seconds. */
  readonly ttlSeconds: number;
  /** Whether the boundaries of transactions are sent to an event hub. */
  readonly sendsBoundaries?: boolean | undefined;
}

/** Partition key of a transaction. */
export function transactionKey(db: string, commit: Commit): string {
  const epoch = epochOf(commit);
  return `${encodeDatabase(db)}:${epoch === 0 ? '' : `${epoch}:`}${transactionId(commit)}`;
}

export function toTransactionItem(tracked: TrackedTransaction, options: ItemOptions): TransactionItem {
  const { db, commit, state, late, end, carried = nothingCarried } = tracked;
  const letters = deadLettersIn(state);
  // One that ended before the setting was there is not told of, also when its item is written again.
  const isToldOf = options.sendsBoundaries === true && end === undefined;
  const boundaries = tracked.boundaries ?? (isToldOf ? noBoundaries : undefined);
  // One that was told of once is told of to its end, also where the setting has gone meanwhile.
  const isUnsent = boundaries !== undefined && unsentOf(boundaries, end !== undefined).length > 0;
  const unnumberedFrom = end === undefined || state.untracked ? undefined : tracked.unnumberedFrom;
  return {
    id: transactionId(commit),
    pkkey: transactionKey(db, commit),
    db,
    ...(end === undefined ? begun(state) : ended(state, end, options)),
    ...(late > 0 && { late }),
    ...missingIn(tracked),
    ...(letters.size > 0 && {
      dead_letters: Object.fromEntries([...letters].map(([reason, set]) => [reason, set.size])),
    }),
    ...(state.untracked && { untracked: true as const }),
    ...(isUnsent && { outbox: true as const }),
    ...(unnumberedFrom !== undefined && { unnumbered: true as const }),
    ...(carried.size > 0 && { carries: true as const }),
    // What is not in the replica is to be found until it is (without numbers nobody knows when that is), what is not
    // sent until it was, and what rows do not tell until they do.
    ...(end !== undefined &&
      (letters.size === 0 || state.untracked) &&
      !isUnsent &&
      unnumberedFrom === undefined && { ttl: options.ttlSeconds }),
    commit,
    _ces: {
      firstSeen: state.firstSeen,
      ...(state.time !== null && { time: state.time }),
      handled: encodeAll(state.handled),
      ...(state.dead.size > 0 && {
        dead: Object.fromEntries([...state.dead].map(([reason, byTable]) => [reason, encodeAll(byTable)])),
      }),
      ...(tracked.reported.missing + tracked.reported.late > 0 && { reported: tracked.reported }),
      ...(boundaries !== undefined && { boundaries }),
      ...(unnumberedFrom !== undefined && unnumberedFrom > 0 && { unnumberedFrom }),
      ...(carried.size > 0 && { carried: toStoredCarried(carried) }),
    },
  };
}

/** Undefined for a document that is none of ours. */
export function fromTransactionItem(stored: unknown): TrackedTransaction | undefined {
  const item = stored as Partial<TransactionItem> | undefined;
  const ces = item?._ces;
  const commit = parseCommit(item?.commit);
  if (item === undefined || ces === undefined || commit === undefined || typeof item.db !== 'string')
    return undefined;
  const { closed_by: by, ts_ms: at = 0, status } = item;
  return {
    db: item.db,
    commit,
    state: {
      firstSeen: ces.firstSeen,
      time: ces.time ?? null,
      handled: parseAll(ces.handled),
      dead: new Map(Object.entries(ces.dead ?? {}).map(([reason, byTable]) => [reason, parseAll(byTable)])),
      untracked: item.untracked === true,
    },
    late: item.late ?? 0,
    reported: ces.reported ?? { missing: 0, late: 0 },
    end: status === 'END' && by !== undefined ? { by, at } : undefined,
    ...(ces.boundaries !== undefined && { boundaries: ces.boundaries }),
    ...(item.unnumbered === true && { unnumberedFrom: ces.unnumberedFrom ?? 0 }),
    ...(ces.carried !== undefined && { carried: fromStoredCarried(ces.carried) }),
  };
}

/** Sequence numbers that are missing at the end. */
export function gapsIn({ state, end }: Pick<TrackedTransaction, 'state' | 'end'>): SequenceSet {
  return end === undefined ? SequenceSet.empty : arrivedIn(state).gaps();
}

type StatusPart = Pick<
  TransactionItem,
  'status' | 'event_count' | 'data_collections' | 'ts_ms' | 'closed_by'
>;

function begun({ firstSeen }: TransactionState): StatusPart {
  return { status: 'BEGIN', event_count: null, data_collections: null, ts_ms: firstSeen };
}

function ended(state: TransactionState, { by, at }: TransactionEnd, { withOrder }: ItemOptions): StatusPart {
  return { status: 'END', ts_ms: at, closed_by: by, ...endedPart(state, withOrder) };
}

/** The counts of a transaction that has ended; null where it is not counted. */
export function endedPart(
  state: TransactionState,
  withOrder: boolean,
): Pick<TransactionItem, 'event_count' | 'data_collections'> {
  if (state.untracked) return { event_count: null, data_collections: null };
  return {
    event_count: arrivedIn(state).size,
    data_collections: [...arrivedByTable(state)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([table, set]) => ({
        data_collection: table,
        event_count: set.size,
        ...(withOrder && { total_orders: encodeSequences(set) }),
      })),
  };
}

function missingIn(tracked: TrackedTransaction): Pick<TransactionItem, 'missing' | 'missing_count'> {
  const gaps = gapsIn(tracked);
  if (gaps.size === 0) return {};
  const missing = missingText(gaps);
  return { ...(missing !== undefined && { missing }), missing_count: gaps.size };
}

/** Undefined when it is too long for an item and a log: half of a large transaction can be of other tables. */
export function missingText(gaps: SequenceSet): string | undefined {
  const text = encodeSequences(gaps);
  return text.length <= MAX_MISSING_CHARACTERS ? text : undefined;
}

function encodeAll(sets: SequencesByName): Record<string, string> {
  return Object.fromEntries([...sets].map(([name, set]) => [name, encodeSequences(set)]));
}

function parseAll(sets: Readonly<Record<string, string>>): SequencesByName {
  return new Map(
    Object.entries(sets).flatMap(([name, text]) => {
      const set = parseSequences(text);
      return set === undefined ? [] : [[name, set] as const];
    }),
  );
}
