import type { Operation } from './operation.ts';
import type { Position } from './position.ts';
import type { Table } from './table.ts';

/** One decoded row change, of CES or Debezium. Values are the text that SQL Server sends for them. */
export interface Change {
  readonly position: Position;
  readonly table: Table;
  readonly operation: Operation;
  /** UTC commit time as sent, null when the envelope has none. Never an order. */
  readonly time: string | null;
  readonly columns: readonly Column[];
  /** Primary key in key order; empty when the table has none or the message does not tell it. */
  readonly key: readonly KeyColumn[];
  /** The row before, null when nothing was sent. */
  readonly old: Image | null;
  /** The row after, null when nothing was sent. */
  readonly current: Image | null;
}

export interface Column {
  readonly name: string;
  /** SQL type as sent, such as `decimal(18,2)`; empty when nothing is known of it. */
  readonly type: string;
}

export interface KeyColumn {
  readonly column: string;
  readonly value: string;
}

/**
 * Column values of one row image by column name. A missing column is unchanged or unknown, never NULL.
 * Column names are the source's: read with `Object.hasOwn` or `Object.entries` only, since a column may be
 * called `constructor`.
 */
export type Image = Readonly<Record<string, SqlValue>>;

/** Text as SQL Server sent it; null is SQL NULL. */
export type SqlValue = string | null;
