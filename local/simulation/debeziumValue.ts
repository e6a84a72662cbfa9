import type { Random } from './random.ts';

/** How the connector is set up to write values. */
export interface DebeziumModes {
  readonly decimals: 'precise' | 'string';
  readonly times: 'adaptive' | 'isostring';
}

/** A field of the schema, without its name. */
export type DebeziumSchema = Readonly<Record<string, unknown>>;

/** A column as Debezium has it: its schema, and its value as JSON text. */
export interface DebeziumValue {
  readonly schema: DebeziumSchema;
  readonly json: string;
}

export function chooseModes(random: Random): DebeziumModes {
  return { decimals: random.pick(['precise', 'string']), times: random.pick(['adaptive', 'isostring']) };
}

/**
 * A value of SQL Server's text as Debezium writes it, with the type at the source in its schema
 * (`datatype.propagate.source.type`).
 * @param type such as `decimal(18,2)`.
 */
export function debeziumValue(type: string, text: string | null, modes: DebeziumModes): DebeziumValue {
  const { name, precision, scale } = taken(type);
  const form = formOf(name, precision, scale, modes);
  const parameters = {
    ...form.parameters,
    '__debezium.source.column.type': name.toUpperCase(),
    ...(precision !== undefined && { '__debezium.source.column.length': String(precision) }),
    ...(scale !== undefined && { '__debezium.source.column.scale': String(scale) }),
  };
  const schema = {
    type: form.type,
    optional: true,
    ...(form.name !== undefined && { name: form.name }),
    parameters,
  };
  return { schema, json: text === null ? 'null' : form.write(text) };
}

interface Form {
  readonly type: string;
  readonly name?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly write: (text: string) => string;
}

/** The one argument of a date or time is its scale, of a text its length. */
function taken(type: string): { name: string; precision: number | undefined; scale: number | undefined } {
  const [, name = type, first, second] = /^([a-z0-9_ ]+)(?:\((\d+|max)(?:, ?(\d+))?\))?$/.exec(type) ?? [];
  const number = first === undefined || first === 'max' ? undefined : Number(first);
  if (/^(time|datetime2|datetimeoffset)$/.test(name)) return { name, precision: undefined, scale: number };
  return { name, precision: number, scale: second === undefined ? undefined : Number(second) };
}

const MONEY_SCALE = 4;

function formOf(
  name: string,
  precision: number | undefined,
  scale: number | undefined,
  modes: DebeziumModes,
): Form {
  switch (name) {
    case 'bit':
      return { type: 'boolean', write: (text) => (text === '1' ? 'true' : 'false') };
    case 'tinyint':
    case 'smallint':
      return { type: 'int16', write: plain };
    case 'int':
      return { type: 'int32', write: plain };
    case 'bigint':
      return { type: 'int64', write: plain };
    case 'real':
      return { type: 'float', write: plain };
    case 'float':
      return { type: 'double', write: plain };
    case 'decimal':
    case 'numeric':
      return decimalForm(precision ?? 18, scale ?? 0, modes);
    case 'money':
      return decimalForm(19, MONEY_SCALE, modes);
    case 'smallmoney':
      return decimalForm(10, MONEY_SCALE, modes);
    case 'binary':
    case 'varbinary':
      return {
        type: 'bytes',
        write: (text) => JSON.stringify(Buffer.from(text.slice(2), 'hex').toString('base64')),
      };
    case 'date':
      return modes.times === 'isostring'
        ? { type: 'string', name: 'io.debezium.time.IsoDate', write: (text) => JSON.stringify(`${text}Z`) }
        : { type: 'int32', name: 'io.debezium.time.Date', write: (text) => String(daysOf(text)) };
    case 'time':
      return modes.times === 'isostring' ? iso('IsoTime') : clockForm(scale ?? 7);
    case 'datetime':
    case 'smalldatetime':
    case 'datetime2':
      return modes.times === 'isostring'
        ? iso('IsoTimestamp')
        : momentForm(name === 'datetime2' ? (scale ?? 7) : 3);
    case 'datetimeoffset':
      return { type: 'string', name: 'io.debezium.time.ZonedTimestamp', write: zoned };
    default:
      return { type: 'string', write: (text) => JSON.stringify(text) };
  }
}

const plain = (text: string): string => text;

function decimalForm(precision: number, scale: number, { decimals }: DebeziumModes): Form {
  if (decimals === 'string') return { type: 'string', write: (text) => JSON.stringify(text) };
  return {
    type: 'bytes',
    name: 'org.apache.kafka.connect.data.Decimal',
    parameters: { scale: String(scale), 'connect.decimal.precision': String(precision) },
    write: (text) => JSON.stringify(twosComplement(BigInt(text.replace('.', ''))).toString('base64')),
  };
}

/** The shortest form, as Java's BigInteger has it. */
function twosComplement(value: bigint): Buffer {
  let bytes = 1;
  while (BigInt.asIntN(bytes * 8, value) !== value) bytes += 1;
  return Buffer.from(
    BigInt.asUintN(bytes * 8, value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  );
}

function iso(name: string): Form {
  return {
    type: 'string',
    name: `io.debezium.time.${name}`,
    write: (text) => JSON.stringify(`${withoutZeros(text.replace(' ', 'T'))}Z`),
  };
}

function zoned(text: string): string {
  const [day = '', clock = '', offset = ''] = text.split(' ');
  return JSON.stringify(`${day}T${withoutZeros(clock)}${offset === '+00:00' ? 'Z' : offset}`);
}

/** Java writes as many digits of a fraction as there are. */
function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

/** Milliseconds, microseconds or nanoseconds: the first that holds the scale. */
function unitOf(scale: number): { readonly prefix: '' | 'Micro' | 'Nano'; readonly digits: 3 | 6 | 9 } {
  if (scale <= 3) return { prefix: '', digits: 3 };
  return scale <= 6 ? { prefix: 'Micro', digits: 6 } : { prefix: 'Nano', digits: 9 };
}

function clockForm(scale: number): Form {
  const { prefix, digits } = unitOf(scale);
  return {
    type: digits === 3 ? 'int32' : 'int64',
    name: `io.debezium.time.${prefix}Time`,
    write: (text) => String(ticksOf(text, digits)),
  };
}

function momentForm(scale: number): Form {
  const { prefix, digits } = unitOf(scale);
  return {
    type: 'int64',
    name: `io.debezium.time.${prefix}Timestamp`,
    write: (text) => {
      const [day = '', clock = ''] = text.split(' ');
      return String(BigInt(daysOf(day)) * 86_400n * 10n ** BigInt(digits) + ticksOf(clock, digits));
    },
  };
}

const DAY_MS = 86_400_000;

function daysOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function ticksOf(clock: string, digits: number): bigint {
  const [seconds = '', fraction = ''] = clock.split('.');
  const [hour = '0', minute = '0', second = '0'] = seconds.split(':');
  const whole = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  return BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
}
