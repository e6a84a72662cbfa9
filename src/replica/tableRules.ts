import type { Table } from '../model/table.ts';
import type { JsonType } from './jsonValue.ts';

/** What the rows of one table become in the replica. */
export interface TableRules {
  /** The table as the replica names it; the messages may give its database another name by now. */
  readonly table: Table;
  /** First part of every version, 0 to 9999. */
  readonly epoch: number;
  /** False: changes of the table are left out. */
  readonly included: boolean;
  /** Undefined: the default container. */
  readonly container: string | undefined;
  /** merge: an update sets the columns it carries. replace: it is the whole row (`include_all_columns = 1`). */
  readonly updates: 'merge' | 'replace';
  readonly deletes: 'tombstone' | 'soft' | 'ignore';
  /** Columns that identify a row, in order; undefined: the primary key. */
  readonly key: readonly string[] | undefined;
  readonly largeValues: 'blob' | 'dead-letter';
  /** What the names of the blobs begin with that hold large values of the rows. */
  readonly valueFolder: string;
  /** Largest item, in bytes of JSON. */
  readonly itemBytes: number;
  readonly columnRule: (column: string, sqlType: string | undefined) => ColumnRule;
}

/** What one column becomes. */
export interface ColumnRule {
  /** Name in the replica. */
  readonly name: string;
  /** unlisted: left out unless it is part of the key. excluded: left out, and so it cannot be part of the key. */
  readonly presence: 'kept' | 'unlisted' | 'excluded';
  /** Instead of the type that follows from the SQL type. */
  readonly json: JsonType | undefined;
  /** Text that may be shown instead of the value. */
  readonly mask: TextMap | undefined;
  /** The text of a key value that its id is made from; equal for values that the source takes for equal. */
  readonly idText: TextMap;
}

export type TextMap = (text: string) => string;
