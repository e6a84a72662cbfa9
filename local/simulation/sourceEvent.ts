import type { Lsn } from './lsn.ts';
import type { SimulationOptions } from './options.ts';
import type { Operation, RowChange } from './rowChanges.ts';
import type { Row, TableState } from './tableState.ts';
import type { Table } from './tables.ts';

/** When and where in the log an event happened. */
export interface Moment {
  /** GUID of the stream group. */
  readonly streamGroup: string;
  readonly commitLsn: Lsn;
  readonly beginLsn: Lsn;
  /** 1 upwards in each transaction. */
  readonly sequence: number;
  /** The same among the changes of the table: only Debezium tells it. */
  readonly tableSequence: number;
  /** ISO 8601 with `Z`. */
  readonly time: string;
  /** Local time of the server with a false `Z`. */
  readonly commitTime: string;
}

/** One change event with the texts that go on the wire, before it is serialized. */
export interface SourceEvent extends Moment {
  readonly operation: Operation;
  readonly db: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly EventColumn[];
  readonly key: readonly EventKey[];
  readonly old: RowImage;
  readonly current: RowImage;
  /** All columns, whatever the stream is set up to send. */
  readonly whole: WholeRows;
}

export interface WholeRows {
  readonly columns: readonly EventColumn[];
  readonly old: RowImage;
  readonly current: RowImage;
}

export interface EventColumn {
  readonly name: string;
  readonly type: string;
  /** Position in the table: has gaps when only some columns are sent. */
  readonly index: number;
}

export interface EventKey {
  readonly columnname: string;
  readonly value: string;
}

/** Names and texts; empty when the image is not sent. A list, because a column may be called `__proto__`. */
export type RowImage = readonly (readonly [name: string, text: string | null])[];

/** What the stream tells of a change, given what it was set up to send. */
export function toSourceEvent(
  change: RowChange,
  state: TableState,
  moment: Moment,
  options: SimulationOptions,
): SourceEvent {
  const { table } = state;
  const sent = sentPositions(change, table, options);
  const hideOld = change.operation === 'UPD' && !options.oldValues;
  const keyTexts = state.keyOf(change.current ?? change.old ?? []);
  return {
    ...moment,
    operation: change.operation,
    db: table.db,
    schema: table.schema,
    table: table.name,
    columns: table.columns
      .map(({ name, type }, index) => ({ name, type: type.name, index }))
      .filter(({ index }) => sent.has(index)),
    key: table.columns
      .filter((column) => column.key)
      .map(({ name }, index) => ({ columnname: name, value: keyTexts[index] ?? '' })),
    old: hideOld ? [] : image(change.old, table, sent),
    current: image(change.current, table, sent),
    whole: wholeRows(change, table),
  };
}

function wholeRows({ old, current }: RowChange, table: Table): WholeRows {
  const all = new Set(table.columns.keys());
  return {
    columns: table.columns.map(({ name, type }, index) => ({ name, type: type.name, index })),
    old: image(old, table, all),
    current: image(current, table, all),
  };
}

/** Only updates are ever partial: the images of inserts and deletes are complete. */
function sentPositions(change: RowChange, table: Table, options: SimulationOptions): ReadonlySet<number> {
  const partial = options.changedColumnsOnly && change.operation === 'UPD';
  return new Set(
    table.columns.keys().filter((index) => !partial || table.columns[index]?.key || change.set.has(index)),
  );
}

function image(row: Row | null, table: Table, sent: ReadonlySet<number>): RowImage {
  if (row === null) return [];
  return table.columns.flatMap(({ name }, index) =>
    sent.has(index) ? [[name, row[index]?.text ?? null] as const] : [],
  );
}
