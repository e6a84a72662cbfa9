import { MAX_BOUNDARY_BYTES } from '../limits.ts';
import { noBoundaries, unsentOf } from './boundaries.ts';
import { transactionId } from './commit.ts';
import {
  type DataCollection,
  endedPart,
  type TrackedTransaction,
  transactionKey,
} from './transactionItem.ts';
import { committedAt } from './transactionState.ts';

/** A message of Debezium's transaction topic, and what tells a repeated one. */
export interface BoundaryMessage {
  readonly status: 'BEGIN' | 'END';
  readonly id: string;
  /** Null of a BEGIN, as Debezium writes it, and of a transaction that is not counted. */
  readonly event_count: number | null;
  readonly data_collections: readonly Pick<DataCollection, 'data_collection' | 'event_count'>[] | null;
  /** Of a BEGIN when the source committed, as Debezium has it; of an END when it was found to be over. */
  readonly ts_ms: number;
  /** The same for each copy: `<key of the transaction>:BEGIN` or `...:END:<revision>`. */
  readonly message_id: string;
}

/** The messages that are still to be sent of a transaction, as JSON: BEGIN before END. */
export function boundaryMessages(tracked: TrackedTransaction): readonly string[] {
  const { boundaries = noBoundaries, end } = tracked;
  return unsentOf(boundaries, end !== undefined).map((status) =>
    fitting(status === 'BEGIN' ? beginOf(tracked) : endOf(tracked)),
  );
}

function beginOf({ db, commit, state }: TrackedTransaction): BoundaryMessage {
  return {
    status: 'BEGIN',
    id: transactionId(commit),
    event_count: null,
    data_collections: null,
    ts_ms: committedAt(state),
    message_id: `${transactionKey(db, commit)}:BEGIN`,
  };
}

function endOf({ db, commit, state, end, boundaries }: TrackedTransaction): BoundaryMessage {
  const counts = endedPart(state, false);
  return {
    status: 'END',
    id: transactionId(commit),
    event_count: counts.event_count,
    data_collections: counts.data_collections,
    ts_ms: end?.at ?? 0,
    message_id: `${transactionKey(db, commit)}:END:${boundaries?.revision ?? 0}`,
  };
}

/** A message that the hub refuses for its size would hold up all others. */
function fitting(message: BoundaryMessage): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= MAX_BOUNDARY_BYTES) return text;
  return JSON.stringify({ ...message, data_collections: null });
}
