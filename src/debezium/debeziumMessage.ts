import type { Change } from '../model/change.ts';
import type { TransactionBoundary } from '../model/transactionBoundary.ts';

/** What a message of Debezium says. */
export type DebeziumMessage =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'boundary'; readonly boundary: TransactionBoundary }
  /** Nothing that concerns a row. */
  | { readonly kind: 'ignored'; readonly what: IgnoredMessage };

/** What else Debezium sends; Debezium Server sends the messages of all topics to one hub. */
export type IgnoredMessage = 'heartbeat' | 'schema change' | 'tombstone' | 'truncate' | 'logical message';
