import { isJsonObject, type JsonObject } from '../json.ts';
import type { Column } from '../model/change.ts';
import type { BinaryMode, DebeziumOptions } from './debeziumOptions.ts';
import { type DeclaredType, declaredType, sourceName, typeText } from './declaredType.ts';
import { asText, type TextOf, textOf } from './textOf.ts';
import { fieldSchema } from './unwrap.ts';

/** How the fields of a table's rows are read. */
export interface ColumnReaders {
  /** One list for all messages that describe the table alike. */
  readonly columns: readonly Column[];
  readonly of: (field: string) => ColumnReader;
}

export interface ColumnReader {
  /** Name of the column at the source. */
  readonly name: string;
  readonly read: TextOf;
}

/**
 * @param schema of the change event, null without.
 * @param row of the change, which tells the columns when there is no schema.
 */
export function columnReaders(
  schema: JsonObject | null,
  row: unknown,
  options: DebeziumOptions,
): ColumnReaders {
  const struct = fieldSchema(schema, 'after') ?? fieldSchema(schema, 'before');
  const fields = struct?.['fields'];
  if (!Array.isArray(fields)) return fromDescription(describe(row), options);
  // Messages that describe a table alike mostly share the object.
  const ofMode = byFields.get(options.binary) ?? new WeakMap<readonly unknown[], ColumnReaders>();
  byFields.set(options.binary, ofMode);
  const readers = ofMode.get(fields) ?? fromDescription(fields.filter(isJsonObject), options);
  ofMode.set(fields, readers);
  return readers;
}

const byFields = new Map<BinaryMode, WeakMap<readonly unknown[], ColumnReaders>>();

function fromDescription(described: readonly JsonObject[], options: DebeziumOptions): ColumnReaders {
  const key = `${options.binary} ${JSON.stringify(described)}`;
  const readers = known.get(key) ?? make(described, options);
  if (!known.has(key)) remember(key, readers);
  return readers;
}

/** Of a value without a schema nothing is known, except that only a bit comes as true or false. */
function describe(row: unknown): readonly JsonObject[] {
  if (!isJsonObject(row)) return [];
  return Object.entries(row).map(([field, value]) => ({
    field,
    ...(typeof value === 'boolean' && { type: 'boolean' }),
  }));
}

function make(fields: readonly JsonObject[], options: DebeziumOptions): ColumnReaders {
  const readers = new Map<string, ColumnReader>();
  const columns: Column[] = [];
  for (const schema of fields) {
    const field = String(schema['field']);
    const name = sourceName(schema) ?? field;
    const type: DeclaredType | undefined = declaredType(schema);
    readers.set(field, { name, read: textOf(schema, type, options) });
    columns.push({ name, type: type === undefined ? '' : typeText(type) });
  }
  return { columns, of: (field) => readers.get(field) ?? { name: field, read: asText } };
}

const known = new Map<string, ColumnReaders>();
let knownCharacters = 0;
/** Characters of all descriptions kept. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

function remember(key: string, readers: ColumnReaders): void {
  if (key.length > MOST_CHARACTERS) return;
  if (knownCharacters + key.length > MOST_CHARACTERS) {
    known.clear();
    knownCharacters = 0;
  }
  known.set(key, readers);
  knownCharacters += key.length;
}
