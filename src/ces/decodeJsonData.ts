import { DataError } from '../errors/dataError.ts';
import {
  isJsonObject,
  type JsonObject,
  missing,
  parseJsonObject,
  parseKeepingNumbers,
  requireText,
  wrongType,
} from '../json.ts';
import type { Column, KeyColumn } from '../model/change.ts';
import type { DataRecord, TransactionPosition } from './dataRecord.ts';
import { knownTables, type TableDescription } from './knownTables.ts';
import { parseImage } from './parseImage.ts';

/**
 * Decodes the JSON `data` of an event: its text, or the object when it was embedded as one.
 * @throws DataError naming the property.
 */
export function decodeJsonData(data: string | JsonObject): DataRecord {
  if (typeof data !== 'string') return toDataRecord(data, describe(data));
  return decodeWithKnownTable(data) ?? decodeText(data);
}

/**
 * What stands between the description of the table and the rest, without white space. The quotes are not escaped,
 * so this is never part of a name or value.
 */
const AFTER_COLUMNS = '],"pkkey":';

/** Undefined when the table is not known, or when the rest is not sound: then the whole text tells why. */
function decodeWithKnownTable(text: string): DataRecord | undefined {
  const end = text.indexOf(AFTER_COLUMNS);
  const description = end < 0 ? undefined : knownTables.get(text.slice(0, end));
  if (description === undefined) return undefined;
  try {
    const rest = parseDataText(`{"eventsource":{${text.slice(end + 2)}`);
    return describesTable(rest, text, end) ? undefined : toDataRecord(rest, description);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

/** Of properties that are there twice JSON.parse takes the last: the rest must not describe the table anew. */
function describesTable(rest: JsonObject, text: string, end: number): boolean {
  const source = requireObject(rest, 'eventsource', 'data');
  return (
    text.includes('"eventsource"', end) || descriptionProperties.some((name) => Object.hasOwn(source, name))
  );
}

const descriptionProperties = ['db', 'schema', 'tbl', 'cols'];

function decodeText(text: string): DataRecord {
  const record = parseDataText(text);
  const data = toDataRecord(record, describe(record));
  remember(text.slice(0, text.indexOf(AFTER_COLUMNS)));
  return data;
}

/** Keeps text that holds the description of a table up to the end of its columns, and nothing else. */
function remember(written: string): void {
  try {
    const record = parseJsonObject(`${written}]}}`, 'the description');
    const names = Object.keys(requireObject(record, 'eventsource', 'data'));
    if (Object.keys(record).length > 1 || names.join() !== descriptionProperties.join()) return;
    knownTables.add(written, describe(record));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
  }
}

/** @throws DataError naming the property. */
export function describe(data: JsonObject): TableDescription {
  const source = requireObject(data, 'eventsource', 'data');
  const db = requireText(source, 'db', 'eventsource');
  const schema = requireText(source, 'schema', 'eventsource');
  const name = requireText(source, 'tbl', 'eventsource');
  return { table: { db, schema, name }, columns: readColumns(source) };
}

function toDataRecord(data: JsonObject, { table, columns }: TableDescription): DataRecord {
  const source = requireObject(data, 'eventsource', 'data');
  const row = requireObject(data, 'eventrow', 'data');
  return {
    table,
    columns,
    key: readKey(source),
    transaction: readTransaction(source['transaction']),
    old: parseImage(row['old'], 'eventrow.old'),
    current: parseImage(row['current'], 'eventrow.current'),
  };
}

/** Values should be text at this level too; where they are not, their digits are read as written. */
function parseDataText(text: string): JsonObject {
  const record = parseJsonObject(text, 'data');
  const row = record['eventrow'];
  const hasObject = isJsonObject(row) && (isJsonObject(row['old']) || isJsonObject(row['current']));
  return hasObject || hasNumberInKey(record) ? parseKeepingNumbers(text, 'data') : record;
}

function hasNumberInKey(record: JsonObject): boolean {
  const source = record['eventsource'];
  const key = isJsonObject(source) ? source['pkkey'] : undefined;
  return (
    Array.isArray(key) && key.some((column) => isJsonObject(column) && typeof column['value'] === 'number')
  );
}

function readColumns(source: JsonObject): readonly Column[] {
  const sent = requireArray(source, 'cols');
  for (const column of sent) {
    if (!isJsonObject(column)) throw wrongType('an element of cols', column, 'an object');
    requireText(column, 'name', 'cols');
    requireText(column, 'type', 'cols');
  }
  return sent as readonly Column[];
}

/** @throws DataError naming the property. */
export function readKey(source: JsonObject): readonly KeyColumn[] {
  const sent = source['pkkey'];
  return sent === undefined || sent === null ? [] : requireArray(source, 'pkkey').map(toKeyColumn);
}

function toKeyColumn(sent: unknown): KeyColumn {
  if (!isJsonObject(sent)) throw wrongType('an element of pkkey', sent, 'an object');
  const column = requireText(sent, 'columnname', 'pkkey');
  const value = sent['value'];
  if (typeof value === 'string') return { column, value };
  if (value === null) throw new DataError('no-key', `key column ${JSON.stringify(column)} is null`);
  return { column, value: requireText(sent, 'value', `pkkey ${JSON.stringify(column)}`) };
}

/** @throws DataError naming the property. */
export function readTransaction(sent: unknown): TransactionPosition | null {
  if (sent === undefined || sent === null) return null;
  if (!isJsonObject(sent)) throw wrongType('transaction', sent, 'an object');
  const sequence = sent['sequencenumber'];
  if (typeof sequence !== 'number' && typeof sequence !== 'string') {
    throw sequence === undefined
      ? missing('transaction', 'sequencenumber')
      : wrongType('sequencenumber', sequence, 'a number');
  }
  return { commitlsn: requireText(sent, 'commitlsn', 'transaction'), sequencenumber: sequence };
}

function requireObject(object: JsonObject, name: string, where: string): JsonObject {
  const value = object[name];
  if (isJsonObject(value)) return value;
  throw value === undefined ? missing(where, name) : wrongType(name, value, 'an object');
}

function requireArray(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  if (Array.isArray(value)) return value;
  throw value === undefined ? missing('eventsource', name) : wrongType(name, value, 'an array');
}
