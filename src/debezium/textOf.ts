import type { JsonObject } from '../json.ts';
import { binaryText } from './binaryText.ts';
import type { DebeziumOptions } from './debeziumOptions.ts';
import { decimalOfBytes, decimalOfNumber } from './decimalText.ts';
import { type DeclaredType, digitsOf, MAX_PRECISION, parametersOf } from './declaredType.ts';
import {
  dateText,
  isoDateText,
  isoTimestampText,
  isoTimeText,
  timestampText,
  timeText,
  zonedText,
} from './timeText.ts';

/** Makes the text that SQL Server sends of a value that is not null. */
export type TextOf = (value: unknown) => string;

/**
 * How the values of a field become SQL Server's text. What is not a value of the field's type is kept as it is.
 * @param type of the column, undefined when nothing is known.
 */
export function textOf(schema: JsonObject, type: DeclaredType | undefined, options: DebeziumOptions): TextOf {
  const read = reader(schema, type, options);
  return (value) => read(value) ?? asText(value);
}

/** A value as it stands in the message; a bit as SQL Server writes it. */
export const asText: TextOf = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return JSON.stringify(value) ?? '';
};

/** Undefined for what is not a value of the type. */
type Reader = (value: unknown) => string | undefined;

function reader(schema: JsonObject, type: DeclaredType | undefined, { binary }: DebeziumOptions): Reader {
  const scale = type?.scale ?? scaleOf(type?.name);
  switch (schema['name']) {
    case 'org.apache.kafka.connect.data.Decimal':
      return decimalOfBytes(decimalScale(schema));
    case 'io.debezium.time.Date':
    case 'org.apache.kafka.connect.data.Date':
      return dateText;
    case 'io.debezium.time.IsoDate':
      return isoDateText;
    case 'io.debezium.time.Time':
    case 'org.apache.kafka.connect.data.Time':
      return timeText(MILLIS, scale);
    case 'io.debezium.time.MicroTime':
      return timeText(MICROS, scale);
    case 'io.debezium.time.NanoTime':
      return timeText(NANOS, scale);
    case 'io.debezium.time.IsoTime':
      return isoTimeText(scale);
    case 'io.debezium.time.Timestamp':
    case 'org.apache.kafka.connect.data.Timestamp':
      return timestampText(MILLIS, scale);
    case 'io.debezium.time.MicroTimestamp':
      return timestampText(MICROS, scale);
    case 'io.debezium.time.NanoTimestamp':
      return timestampText(NANOS, scale);
    case 'io.debezium.time.IsoTimestamp':
      return isoTimestampText(scale);
    case 'io.debezium.time.ZonedTimestamp':
      return zonedText(scale);
    default:
      return readerOfType(schema['type'], type, binary);
  }
}

/** Undefined where it is none that SQL Server has: then the bytes say nothing of a value. */
function decimalScale(schema: JsonObject): number | undefined {
  return digitsOf(parametersOf(schema)['scale'] ?? 0, MAX_PRECISION);
}

/** Digits of a second's fraction that an integer counts. */
const MILLIS = 3;
const MICROS = 6;
const NANOS = 9;

function readerOfType(
  connectType: unknown,
  type: DeclaredType | undefined,
  binary: DebeziumOptions['binary'],
): Reader {
  if (connectType === 'bytes') return binaryText('base64');
  switch (type?.name) {
    case 'binary':
    case 'varbinary':
    case 'image':
    case 'rowversion':
    case 'timestamp':
      return binary === 'bytes' ? asText : binaryText(binary);
    case 'decimal':
    case 'numeric':
      return decimalOfNumber(type.scale ?? 0);
    case 'money':
    case 'smallmoney':
      return decimalOfNumber(MONEY_SCALE);
    default:
      return asText;
  }
}

const MONEY_SCALE = 4;

/** Digits of the second's fraction that SQL Server writes of types without arguments. */
function scaleOf(name: string | undefined): number {
  switch (name) {
    case 'smalldatetime':
      return 0;
    case 'datetime':
      return 3;
    default:
      return 7;
  }
}
