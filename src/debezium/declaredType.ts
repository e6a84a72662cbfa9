import { isJsonObject, type JsonObject } from '../json.ts';

/** The SQL type of a column, told by the schema or taken from it. */
export interface DeclaredType {
  /** Lower case. */
  readonly name: string;
  /** Digits of a decimal. */
  readonly precision?: number;
  /** Digits after the point: of a decimal or of a second. */
  readonly scale?: number;
}

/** As CES writes it, such as `decimal(18,2)`. */
export function typeText({ name, precision, scale }: DeclaredType): string {
  const digits = [precision, scale].filter((number) => number !== undefined);
  return digits.length === 0 ? name : `${name}(${digits.join(',')})`;
}

/**
 * The type at the source where the connector was told to send it (`datatype.propagate.source.type` or
 * `column.propagate.source.type`), otherwise the one that its mapping of types is most likely to stand for.
 * Undefined when nothing is known.
 */
export function declaredType(schema: JsonObject): DeclaredType | undefined {
  return propagated(parametersOf(schema)) ?? fromName(schema) ?? fromConnectType(schema['type']);
}

/** The name of the column, where `field.name.adjustment.mode` or a long name changed it and the schema tells. */
export function sourceName(schema: JsonObject): string | undefined {
  const name = parametersOf(schema)['__debezium.source.column.name'];
  return typeof name === 'string' ? name : undefined;
}

export function parametersOf(schema: JsonObject): JsonObject {
  const { parameters } = schema;
  return isJsonObject(parameters) ? parameters : {};
}

function propagated(parameters: JsonObject): DeclaredType | undefined {
  const sent = parameters['__debezium.source.column.type'];
  if (typeof sent !== 'string' || sent === '') return undefined;
  // The driver says `int identity` and `numeric() identity`.
  const name = sent
    .toLowerCase()
    .replace(/\(\)/, '')
    .replace(/ +identity$/, '')
    .trim();
  const length = digitsOf(parameters['__debezium.source.column.length'], MAX_PRECISION);
  const scale = digitsOf(parameters['__debezium.source.column.scale'], MAX_PRECISION);
  switch (name) {
    case 'decimal':
    case 'numeric':
      return { name, precision: length ?? DEFAULT_PRECISION, scale: scale ?? 0 };
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return { name, scale: scale ?? MOST_FRACTION_DIGITS };
    default:
      return { name };
  }
}

/** Of `decimal`, `time`, `datetime2` and `datetimeoffset` without arguments (T-SQL). */
const DEFAULT_PRECISION = 18;
const MOST_FRACTION_DIGITS = 7;
export const MAX_PRECISION = 38;

/** By the semantic type (Debezium connector for SQL Server, data type mappings). */
function fromName(schema: JsonObject): DeclaredType | undefined {
  switch (schema['name']) {
    case 'org.apache.kafka.connect.data.Decimal': {
      const { scale, 'connect.decimal.precision': precision } = parametersOf(schema);
      return {
        name: 'decimal',
        precision: digitsOf(precision, MAX_PRECISION) ?? MAX_PRECISION,
        scale: digitsOf(scale, MAX_PRECISION) ?? 0,
      };
    }
    case 'io.debezium.time.Date':
    case 'io.debezium.time.IsoDate':
    case 'org.apache.kafka.connect.data.Date':
      return { name: 'date' };
    case 'io.debezium.time.Time':
    case 'org.apache.kafka.connect.data.Time':
      return { name: 'time', scale: 3 };
    case 'io.debezium.time.MicroTime':
      return { name: 'time', scale: 6 };
    case 'io.debezium.time.NanoTime':
    case 'io.debezium.time.IsoTime':
      return { name: 'time', scale: 7 };
    case 'io.debezium.time.Timestamp':
    case 'org.apache.kafka.connect.data.Timestamp':
      return { name: 'datetime2', scale: 3 };
    case 'io.debezium.time.MicroTimestamp':
      return { name: 'datetime2', scale: 6 };
    case 'io.debezium.time.NanoTimestamp':
    case 'io.debezium.time.IsoTimestamp':
      return { name: 'datetime2', scale: 7 };
    case 'io.debezium.time.ZonedTimestamp':
      return { name: 'datetimeoffset', scale: 7 };
    case 'io.debezium.data.Xml':
      return { name: 'xml' };
    case 'io.debezium.data.Json':
      return { name: 'json' };
    case 'io.debezium.data.Uuid':
      return { name: 'uniqueidentifier' };
    default:
      return undefined;
  }
}

function fromConnectType(type: unknown): DeclaredType | undefined {
  switch (type) {
    case 'boolean':
      return { name: 'bit' };
    case 'int8':
    case 'int16':
      return { name: 'smallint' };
    case 'int32':
      return { name: 'int' };
    case 'int64':
      return { name: 'bigint' };
    case 'float':
    case 'float32':
      return { name: 'real' };
    case 'double':
    case 'float64':
      return { name: 'float' };
    case 'string':
      return { name: 'nvarchar' };
    case 'bytes':
      return { name: 'varbinary' };
    default:
      return undefined;
  }
}

/** Undefined for what is no number of digits that a type of SQL Server has: values are padded to it. */
export function digitsOf(sent: unknown, most: number): number | undefined {
  const number = typeof sent === 'string' && /^\d+$/.test(sent) ? Number(sent) : sent;
  const isOne = typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= most;
  return isOne ? number : undefined;
}
