import { DataError } from '../errors/dataError.ts';
import { decodeAvro, hasReplacedText } from './avro.ts';
import { AvroCursor } from './avroCursor.ts';
import {
  type AvroDataTail,
  positionType,
  tableType,
  tailWithFinalEvent,
  tailWithoutFinalEvent,
} from './avroSchemas.ts';
import type { DataRecord } from './dataRecord.ts';
import { knownTables, type TableDescription } from './knownTables.ts';
import { parseImage } from './parseImage.ts';

/**
 * Decodes the Avro `Data` record of either published revision, with and without `finalevent`. Nothing in the
 * bytes names the revision, see {@link decodeTail}; it counts only if it consumes the bytes exactly, `committime`
 * is a time and the images are JSON.
 * @throws DataError when the bytes are no such record.
 */
export function decodeAvroData(bytes: Buffer): DataRecord {
  const endOfTable = checkArrays(bytes);
  const description = describe(bytes, endOfTable);
  const position = decodeAvro(positionType, bytes, endOfTable);
  if (description === undefined || position === undefined) throw noData(bytes);
  const tail = decodeTail(bytes, position.end);
  if (tail === undefined) {
    throw new DataError(
      'invalid-avro',
      `data (${bytes.length} bytes) does not end as either revision of the CES Data record does`,
    );
  }
  if (hasReplacedText([tail.old, tail.current], bytes)) {
    throw new DataError('invalid-utf8', 'text of an image is not UTF-8');
  }
  const { pkkey, commitlsn, sequencenumber } = position.value;
  return {
    table: description.table,
    columns: description.columns,
    key: pkkey.map(({ columnname, value }) => ({ column: columnname, value })),
    transaction: { commitlsn, sequencenumber },
    old: parseImage(tail.old, 'eventrow.old'),
    current: parseImage(tail.current, 'eventrow.current'),
  };
}

/**
 * avsc makes room for as many array items as the bytes announce, so that a single damaged byte could take all
 * memory and time; and it replaces what is not UTF-8. So the arrays are walked over before anything is decoded.
 * @returns where the description of the table ends.
 * @throws DataError when the arrays are not all there.
 */
export function checkArrays(bytes: Buffer): number {
  const cursor = new AvroCursor(bytes);
  cursor.skipTexts(NAMES);
  cursor.skipArray(skipColumn);
  const endOfTable = cursor.at;
  cursor.skipArray(skipKeyColumn);
  if (cursor.invalidText) throw new DataError('invalid-utf8', 'a name or key value in data is not UTF-8');
  if (cursor.failed) throw noData(bytes);
  return endOfTable;
}

/** @param end where the description of the table ends; undefined when it is none. */
export function describe(bytes: Buffer, end: number): TableDescription | undefined {
  const written = bytes.toString('latin1', 0, end);
  const known = knownTables.get(written);
  if (known !== undefined) return known;
  const decoded = decodeAvro(tableType, bytes, 0);
  if (decoded === undefined) return undefined;
  const { db, schema, tbl, cols } = decoded.value;
  const description = { table: { db, schema, name: tbl }, columns: cols };
  knownTables.add(written, description);
  return description;
}

function noData(bytes: Buffer): DataError {
  return new DataError('invalid-avro', `data is cut short or no CES Data record (${bytes.length} bytes)`);
}

/** db, schema and tbl. */
const NAMES = 3;

/** name, type and index. */
function skipColumn(cursor: AvroCursor): void {
  cursor.skipTexts(2);
  cursor.readLong();
}

/** columnname and value. */
function skipKeyColumn(cursor: AvroCursor): void {
  cursor.skipTexts(2);
}

/**
 * Without `finalevent` the tail starts with the length of `committime`, with it with 0 or 1: lengths no time has.
 */
function decodeTail(bytes: Buffer, start: number): AvroDataTail | undefined {
  const type = (bytes[start] ?? 0) > 1 ? tailWithoutFinalEvent : tailWithFinalEvent;
  const tail = decodeAvro(type, bytes, start);
  if (tail === undefined || tail.end !== bytes.length) return undefined;
  const { committime, old, current } = tail.value;
  return isTime.test(committime) && looksLikeJson(old) && looksLikeJson(current) ? tail.value : undefined;
}

const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/;

function looksLikeJson(image: string): boolean {
  return image === '' || image === 'null' || /^\s*\{/.test(image);
}
