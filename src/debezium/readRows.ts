import { isJsonObject, wrongType } from '../json.ts';
import type { Change, Image, SqlValue } from '../model/change.ts';
import { type ColumnReaders, columnReaders } from './columnReaders.ts';
import type { DebeziumOptions } from './debeziumOptions.ts';
import type { Envelope } from './envelope.ts';
import { type IsUnavailable, isUnavailable } from './unavailable.ts';

/**
 * Reads the rows of a change event as SQL Server's texts.
 * @throws DataError wrong-type when `before` or `after` is neither an object nor null.
 */
export function readRows(
  { before, after, schema }: Envelope,
  options: DebeziumOptions,
): Pick<Change, 'columns' | 'old' | 'current'> {
  const readers = columnReaders(schema, isJsonObject(after) ? after : before, options);
  const isMissing = isUnavailable(options);
  return {
    columns: readers.columns,
    old: readImage(before, 'before', readers, isMissing),
    current: readImage(after, 'after', readers, isMissing),
  };
}

function readImage(
  row: unknown,
  where: string,
  readers: ColumnReaders,
  isMissing: IsUnavailable,
): Image | null {
  if (row === undefined || row === null) return null;
  if (!isJsonObject(row)) throw wrongType(where, row, 'an object or null');
  const values: [string, SqlValue][] = [];
  for (const [field, value] of Object.entries(row)) {
    if (isMissing(value)) continue;
    const { name, read } = readers.of(field);
    values.push([name, value === null ? null : read(value)]);
  }
  // A column may be called `__proto__`.
  return values.length === 0 ? null : Object.fromEntries(values);
}
