import { isDeepStrictEqual } from 'node:util';
import { type DocumentId, documentId } from '../../src/replica/documentId.ts';
import type { OracleRow, OracleTable } from '../simulation/oracle.ts';
import { fieldsOf, orderIn, type StoredItem } from './storedItem.ts';

/** How the replica compares with the source. */
export interface Comparison {
  /** Rows of the source that the replica has exactly. */
  readonly equalRows: number;
  /** Rows that are gone from the source and are tombstones in the replica. */
  readonly equalTombstones: number;
  readonly differenceCount: number;
  /** The first {@link KEPT_DIFFERENCES}, each with the id of the item and, where it is about one, the column. */
  readonly differences: readonly string[];
}

const KEPT_DIFFERENCES = 10;
/** Characters of a value shown in a difference. */
const SHOWN_CHARACTERS = 60;

/**
 * Checks every row, every deleted row, and that there is nothing else.
 * @param withOrder whether each must show the `data_collection_order` of its newest change, too.
 */
export function compareWithOracle(
  tables: readonly OracleTable[],
  items: readonly StoredItem[],
  withOrder = false,
): Comparison {
  const left = new Map(items.map((item) => [item.id, item]));
  const take = (id: DocumentId): StoredItem | undefined => {
    const item = left.get(id);
    left.delete(id);
    return item;
  };
  const problems: string[][] = [];
  let equalRows = 0;
  let equalTombstones = 0;
  for (const table of tables) {
    for (const row of table.rows) {
      const id = documentId(table, row.key);
      const item = take(id);
      const order = withOrder ? orderProblems(table, row.key, item) : [];
      const found = [...rowProblems(table, id, row, item), ...order];
      if (found.length === 0) equalRows += 1;
      else problems.push(found.map((problem) => `${id}: ${problem}`));
    }
    for (const key of table.deletedKeys) {
      const id = documentId(table, key);
      const item = take(id);
      const order = withOrder ? orderProblems(table, key, item) : [];
      const found = [...tombstoneProblems(table, id, item), ...order];
      if (found.length === 0) equalTombstones += 1;
      else problems.push(found.map((problem) => `${id}: ${problem}`));
    }
  }
  for (const id of left.keys()) problems.push([`${id}: the source never had this row`]);
  const all = problems.flat();
  return {
    equalRows,
    equalTombstones,
    differenceCount: all.length,
    differences: all.slice(0, KEPT_DIFFERENCES),
  };
}

function rowProblems(
  table: OracleTable,
  id: DocumentId,
  { values }: OracleRow,
  item: StoredItem | undefined,
): string[] {
  if (item === undefined) return ['the row is missing'];
  if (item.deleted !== undefined) return ['the row is deleted, but the source has it'];
  const wanted = fieldsOf(values);
  const key = new Map(table.keyColumns.map((column) => [column, wanted.get(column)]));
  return [
    ...headProblems(table, id, item),
    ...fieldProblems('key column', key, fieldsOf(item.key)),
    ...fieldProblems('column', wanted, fieldsOf(item.row)),
    ...(item.ttl === undefined ? [] : ['a live row has a ttl']),
  ];
}

function tombstoneProblems(table: OracleTable, id: DocumentId, item: StoredItem | undefined): string[] {
  if (item === undefined) return ['the tombstone is missing'];
  if (item.deleted !== true) return ['the row is live, but the source deleted it'];
  const keyColumns = [...fieldsOf(item.key).keys()];
  return [
    ...headProblems(table, id, item),
    ...(item.row === undefined ? [] : ['a tombstone has a row']),
    ...(Number.isSafeInteger(item.ttl) && Number(item.ttl) > 0 ? [] : ['a tombstone has no ttl']),
    ...(isDeepStrictEqual(keyColumns.toSorted(), table.keyColumns.toSorted())
      ? []
      : [`the key has the columns ${show(keyColumns)}, not ${show(table.keyColumns)}`]),
  ];
}

function orderProblems(
  { orders }: OracleTable,
  key: readonly string[],
  item: StoredItem | undefined,
): string[] {
  if (item === undefined) return [];
  const found = orderIn(item);
  const wanted = orders?.get(JSON.stringify(key));
  return found === wanted ? [] : [`data_collection_order is ${show(found)}, not ${show(wanted)}`];
}

function headProblems(table: OracleTable, id: DocumentId, item: StoredItem): string[] {
  const wanted = { pkkey: id, db: table.db, schema: table.schema, table: table.name };
  const found = { pkkey: item.pkkey, db: item.db, schema: item.schema, table: item.table };
  return fieldProblems('property', fieldsOf(wanted), fieldsOf(found));
}

function fieldProblems(
  what: string,
  wanted: ReadonlyMap<string, unknown>,
  found: ReadonlyMap<string, unknown>,
): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names].flatMap((name) => {
    if (!found.has(name)) return [`${what} ${show(name)} is missing, not ${show(wanted.get(name))}`];
    if (!wanted.has(name)) return [`${what} ${show(name)} is too much`];
    return isDeepStrictEqual(found.get(name), wanted.get(name))
      ? []
      : [`${what} ${show(name)} is ${show(found.get(name))}, not ${show(wanted.get(name))}`];
  });
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
