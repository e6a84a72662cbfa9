import { fieldsOf, type StoredItem, tableOf } from './storedItem.ts';
import { cutToWidth, displayWidth, tableWidth, textTable } from './textTable.ts';

/** Tables shown, and live rows of each. */
const MAX_TABLES = 7;
const MAX_ROWS = 3;
/** Widest value, in columns of the terminal. */
const MAX_VALUE_WIDTH = 30;

/**
 * The first live rows of the first tables, for people: as many columns as fit, long values cut.
 * @param items of the replica, in any order
 * @param width of the terminal, in characters
 */
export function rowTables(items: readonly StoredItem[], width: number): string[] {
  const live = items.filter(({ deleted }) => deleted !== true);
  const tables = [...Map.groupBy(live, tableOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const more = tables.length - MAX_TABLES;
  return [
    ...tables.slice(0, MAX_TABLES).flatMap(([table, rows]) => ['', ...rowTable(table, rows, width)]),
    ...(more > 0 ? ['', `and ${more} more ${more === 1 ? 'table' : 'tables'}`] : []),
  ];
}

function rowTable(table: string, items: readonly StoredItem[], width: number): string[] {
  const shown = items.toSorted((a, b) => byId.compare(a.id, b.id)).slice(0, MAX_ROWS);
  const rows = shown.map(({ row }) => fieldsOf(row));
  // Of a row whose insert was never seen some columns are unknown, so that rows can differ in their columns.
  const keyColumns = shown.flatMap(({ key }) => [...fieldsOf(key).keys()]);
  const columns = [...new Set([...keyColumns, ...rows.flatMap((row) => [...row.keys()])])];
  const fitting = columns.slice(0, countFitting(columns, rows, width));
  const cells = rows.map((row) => fitting.map((column) => valueText(row, column)));
  const rest = [
    plural(items.length - shown.length, 'row'),
    plural(columns.length - fitting.length, 'column'),
  ].filter((text) => text !== '');
  const note = rest.length === 0 ? '' : `  (and ${rest.join(', ')} more)`;
  return [`${cutToWidth(table, width)}${note}`, ...textTable(fitting.map(titleOf), cells)];
}

/** Numbers in ids in their order: 9 before 10. */
const byId = new Intl.Collator('en', { numeric: true });

/** Number of the first columns that fit; never less than one. */
function countFitting(
  columns: readonly string[],
  rows: readonly ReadonlyMap<string, unknown>[],
  width: number,
): number {
  const widths: number[] = [];
  for (const column of columns) {
    const texts = [titleOf(column), ...rows.map((row) => valueText(row, column))];
    widths.push(Math.max(...texts.map(displayWidth)));
    if (tableWidth(widths) > width) return Math.max(1, widths.length - 1);
  }
  return columns.length;
}

function titleOf(column: string): string {
  return cutToWidth(column, MAX_VALUE_WIDTH);
}

/** Empty for a column that is unknown. */
function valueText(row: ReadonlyMap<string, unknown>, column: string): string {
  return row.has(column) ? cutToWidth(String(row.get(column)), MAX_VALUE_WIDTH) : '';
}

function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
