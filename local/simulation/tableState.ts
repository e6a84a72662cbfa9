import { Pool } from './pool.ts';
import type { Random } from './random.ts';
import { type Cell, NULL_CELL } from './sqlValue.ts';
import type { Column, Table } from './tables.ts';

/** One cell for each column of the table, in its order. */
export type Row = readonly Cell[];

const NULL_SHARE = 0.12;
/** An update may set a column to the value it has. */
const SAME_VALUE_SHARE = 0.1;
/** How often a new row takes the key of a row that is gone. */
const RETURN_SHARE = 0.2;
const MAX_KEY_ATTEMPTS = 1000;

/** The rows of one table as the source has them now, and the keys it had before. */
export class TableState {
  readonly table: Table;
  readonly live = new Pool<Row>();
  /** The last row under each key that existed and is gone. */
  readonly gone = new Pool<Row>();
  readonly #orders = new Map<string, number>();

  constructor(table: Table) {
    this.table = table;
  }

  put(row: Row): void {
    const key = this.#poolKey(row);
    this.live.set(key, row);
    this.gone.delete(key);
  }

  remove(row: Row): void {
    const key = this.#poolKey(row);
    this.live.delete(key);
    this.gone.set(key, row);
  }

  /** The row as it is now, or undefined when its key is gone. */
  current(row: Row): Row | undefined {
    return this.live.get(this.#poolKey(row));
  }

  /** @param order of the newest change of the row, among those of its transaction and table, from 1. */
  setOrder(row: Row, order: number): void {
    this.#orders.set(this.#poolKey(row), order);
  }

  orderOf(row: Row): number {
    return this.#orders.get(this.#poolKey(row)) ?? 0;
  }

  /** The texts of the key columns, as sent. */
  keyOf(row: Row): string[] {
    return this.table.columns.flatMap((column, index) => (column.key ? [row[index]?.text ?? ''] : []));
  }

  /** A row whose key is not alive; some of the keys existed before. */
  newRow(random: Random): Row {
    if (this.gone.size > 0 && random.chance(RETURN_SHARE)) {
      return this.rekeyed(this.#anyRow(random), this.gone.pick(random));
    }
    for (let attempt = 0; attempt < MAX_KEY_ATTEMPTS; attempt += 1) {
      const row = this.#anyRow(random);
      if (this.current(row) === undefined) return row;
    }
    throw new Error(`${this.table.name}: no free key in ${MAX_KEY_ATTEMPTS} attempts`);
  }

  /** The row with values set in the columns at `positions`. */
  changed(row: Row, positions: ReadonlySet<number>, random: Random): Row {
    return this.table.columns.map((column, index) => {
      const before = row[index] ?? NULL_CELL;
      const keep = !positions.has(index) || random.chance(SAME_VALUE_SHARE);
      return keep ? before : newCell(column, random);
    });
  }

  /** The row under the key of another one. */
  rekeyed(row: Row, other: Row): Row {
    return this.table.columns.map(({ key }, index) => (key ? other : row)[index] ?? NULL_CELL);
  }

  #anyRow(random: Random): Row {
    return this.table.columns.map((column) => newCell(column, random));
  }

  /** Injective, whatever the key texts hold. */
  #poolKey(row: Row): string {
    return JSON.stringify(this.keyOf(row));
  }
}

function newCell(column: Column, random: Random): Cell {
  return column.nullable && random.chance(NULL_SHARE) ? NULL_CELL : column.type.generate(random);
}
