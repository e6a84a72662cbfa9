import type { Lsn } from './lsn.ts';

/** What Debezium tells of the beginning or end of a transaction. */
export interface TransactionBoundary {
  readonly status: 'BEGIN' | 'END';
  readonly lsn: Lsn;
  /** Changes in the transaction; null at its beginning. */
  readonly eventCount: number | null;
  /** The same by table, as `database.schema.table`; null at its beginning. */
  readonly dataCollections: readonly DataCollectionCount[] | null;
}

export interface DataCollectionCount {
  readonly dataCollection: string;
  readonly eventCount: number;
}
