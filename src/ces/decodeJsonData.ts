import { DataError } from '../errors/dataError.ts';
import type { Column, KeyColumn } from '../model/change.ts';
import type { DataRecord, TransactionPosition } from './dataRecord.ts';
import {
  isJsonObject,
  type JsonObject,
  missing,
  parseJsonObject,
  parseKeepingNumbers,
  requireText,
  wrongType,
} from './json.ts';
import { parseImage } from './parseImage.ts';

/**
 * Decodes the JSON `data` of an event: its text, or the object when it was embedded as one.
 * @throws DataError naming the property.
 */
export function decodeJsonData(data: string | JsonObject): DataRecord {
  const record = typeof data === 'string' ? parseDataText(data) : data;
  const source = requireObject(record, 'eventsource', 'data');
  const row = requireObject(record, 'eventrow', 'data');
  return {
    table: {
      db: requireText(source, 'db', 'eventsource'),
      schema: requireText(source, 'schema', 'eventsource'),
      name: requireText(source, 'tbl', 'eventsource'),
    },
    columns: readColumns(source),
    key:
      source['pkkey'] === undefined || source['pkkey'] === null
        ? []
        : requireArray(source, 'pkkey').map(toKeyColumn),
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

function toKeyColumn(sent: unknown): KeyColumn {
  if (!isJsonObject(sent)) throw wrongType('an element of pkkey', sent, 'an object');
  const column = requireText(sent, 'columnname', 'pkkey');
  const value = sent['value'];
  if (typeof value === 'string') return { column, value };
  if (value === null) throw new DataError('no-key', `key column ${JSON.stringify(column)} is null`);
  return { column, value: requireText(sent, 'value', `pkkey ${JSON.stringify(column)}`) };
}

function readTransaction(sent: unknown): TransactionPosition | null {
  if (sent === undefined || sent === null) return null;
  if (!isJsonObject(sent)) throw wrongType('transaction', sent, 'an object');
  const sequence = sent['sequencenumber'];
  if (typeof sequence !== 'number' && typeof sequence !== 'string') {
    throw sequence === undefined
      ? missing('transaction', 'sequencenumber')
      : wrongType('sequencenumber', sequence, 'a number');
  }
  return { commitlsn: requireText(sent, 'commitlsn', 'transaction'), sequencenumber: String(sequence) };
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
