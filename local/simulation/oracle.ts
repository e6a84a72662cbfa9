import type { JsonValue } from './sqlValue.ts';
import type { TableState } from './tableState.ts';

/** What a replica of one table must look like in the end. */
export interface OracleTable {
  readonly db: string;
  readonly schema: string;
  readonly name: string;
  readonly keyColumns: readonly string[];
  readonly columns: readonly { readonly name: string; readonly sqlType: string }[];
  readonly rows: readonly OracleRow[];
  /** Key texts of rows that existed and are gone: tombstones in the replica. */
  readonly deletedKeys: readonly (readonly string[])[];
  /**
   * `data_collection_order` of the newest change of each row, of those that are gone, too, by the JSON of the key's
   * texts.
   */
  readonly orders?: ReadonlyMap<string, number>;
}

export interface OracleRow {
  /** Texts of the key columns, as sent. */
  readonly key: readonly string[];
  /** Every column; a column called `__proto__` is an own property like any other. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

export function oracleTable(state: TableState): OracleTable {
  const { db, schema, name, columns } = state.table;
  return {
    db,
    schema,
    name,
    keyColumns: columns.filter((column) => column.key).map((column) => column.name),
    columns: columns.map((column) => ({ name: column.name, sqlType: column.type.name })),
    rows: state.live.values().map((row) => ({
      key: state.keyOf(row),
      values: Object.fromEntries(columns.map((column, index) => [column.name, row[index]?.json ?? null])),
    })),
    deletedKeys: state.gone.values().map((row) => state.keyOf(row)),
    orders: new Map(
      [...state.live.values(), ...state.gone.values()].map((row) => [
        JSON.stringify(state.keyOf(row)),
        state.orderOf(row),
      ]),
    ),
  };
}
