import type { JsonValue } from '../../../src/replica/jsonValue.ts';
import type { ReplicaItem } from '../../../src/replica/replicaItem.ts';
import type { Envelope } from '../envelope.ts';

/** What the messages of one event mean, or one message that cannot be read. What `--json` prints. */
export interface Explanation {
  readonly messages: readonly ExplainedMessage[];
  readonly event?: ExplainedEvent;
  readonly table?: ExplainedTable;
  /** Version of the change in the replica. */
  readonly version?: string;
  /** Columns of the key of the row and their values, as sent; absent when there is none, or it is not known yet. */
  readonly key?: Readonly<Record<string, string>>;
  readonly columns?: readonly ExplainedColumn[];
  /** Columns that the configuration names for this table, and that the event does not have. */
  readonly missingColumns?: readonly string[];
  readonly outcome: Outcome;
}

export interface ExplainedMessage extends Envelope {
  /** File, and place in it where it holds several. */
  readonly place: string;
  readonly bytes: number;
  /** The same segment as an earlier message. */
  readonly copy?: true;
}

export interface ExplainedEvent {
  readonly streamGroup: string;
  readonly lsn: string;
  readonly sequence: string;
  readonly operation: string;
  readonly time: string | null;
  readonly encoding: string;
  /** Indexes of the segments that are there. */
  readonly segments: readonly number[];
  /** Which are missing; absent when the event is whole. */
  readonly missing?: string;
}

export interface ExplainedTable {
  /** As the messages name it. */
  readonly source: string;
  /** As the replica names it. */
  readonly replica: string;
  /** Entries of the configuration for the table, in the order in which they count; absent when it has no entry. */
  readonly entries?: readonly string[];
  readonly included: boolean;
  /** Absent for the default one. */
  readonly container?: string;
  readonly updates: string;
  readonly deletes: string;
}

export interface ExplainedColumn {
  readonly name: string;
  /** As sent; absent when the message does not declare the column. */
  readonly sqlType?: string;
  /** Value before, as sent; absent when it was not. */
  readonly old?: string | null;
  /** Value after, as sent; absent when it was not. */
  readonly current?: string | null;
  /** What of it stands in the item; absent when nothing does. */
  readonly json?: JsonValue;
  /** What becomes of the column, in words. */
  readonly treatment: string;
}

export type Outcome =
  /** The items, where nothing of their rows is stored yet. */
  | { readonly kind: 'written'; readonly items: readonly ReplicaItem[]; readonly notes: readonly string[] }
  | { readonly kind: 'excluded'; readonly reason: string }
  | { readonly kind: 'parked'; readonly reason: string }
  | {
      readonly kind: 'dead-letter';
      readonly code: string;
      readonly message: string;
      readonly meaning: string;
      readonly action: string;
    };
