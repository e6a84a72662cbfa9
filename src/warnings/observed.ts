import type { Change } from '../model/change.ts';

/** What a batch shows to those who watch for trouble. */
export interface ObservedBatch {
  readonly rows: readonly ObservedRow[];
  /** Tables of changes that were put aside for want of a key, once for each. */
  readonly withoutKey: readonly string[];
  readonly notes: ReadonlyMap<string, TableNotes>;
  /** Where transactions are tracked, which depends on the number of partitions. */
  readonly hub?: ObservedHub | undefined;
}

export interface ObservedHub {
  /** Partitions that the batch came from. */
  readonly partitions: ReadonlySet<string>;
  /** HUB_PARTITIONS. */
  readonly told: number;
}

export interface ObservedRow {
  /** `database.schema.table`. */
  readonly table: string;
  /** In the order of arrival. */
  readonly changes: readonly ObservedChange[];
  /** The newest change that the replica had of the row; undefined where there was none or it was not read. */
  readonly before: Position | undefined;
}

export interface ObservedChange {
  readonly change: Change;
  readonly position: Position;
}

/** A place in the order of changes. */
export interface Position {
  /** Compared as text; begins with the epoch. */
  readonly stamp: string;
  /** UTC commit time as sent. */
  readonly time: string | null;
}

export interface TableNotes {
  readonly unparsedValues: number;
  readonly unknownColumns: number;
}
