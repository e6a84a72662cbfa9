import type { SqlValue } from '../model/change.ts';
import type { JsonValue } from './jsonValue.ts';
import { parseSqlType, type SqlType } from './sqlType.ts';

export interface Converted {
  readonly value: JsonValue;
  /** False when the text is not one of its type's: then it is kept as text. */
  readonly parsed: boolean;
}

/**
 * Converts one column value. The JSON type follows from the declared SQL type alone, never from the value: a
 * number where a double holds every value of the type exactly, text otherwise. No time zone is added, no digit
 * dropped.
 * @param declared SQL type as sent; undefined when the message does not declare the column.
 */
export function convertValue(sent: SqlValue, declared: string | undefined): Converted {
  if (sent === null) return { value: null, parsed: true };
  const value = converterFor(parseSqlType(declared ?? ''))(sent);
  return value === undefined ? { value: sent, parsed: false } : { value, parsed: true };
}

/** Gives undefined for text that is not a value of the type. */
type Converter = (text: string) => JsonValue | undefined;

/** Significant decimal digits that a double always keeps (IEEE 754 binary64). */
const EXACT_DIGITS = 15;
/** Precision of `decimal` and `numeric` without arguments (T-SQL, decimal and numeric). */
const DEFAULT_PRECISION = 18;

function converterFor(type: SqlType): Converter {
  switch (type.name) {
    case 'tinyint':
    case 'smallint':
    case 'int':
      return toInteger;
    case 'smallmoney':
    case 'real':
    case 'float':
      return toNumber;
    case 'decimal':
    case 'numeric':
      return (type.precision ?? DEFAULT_PRECISION) <= EXACT_DIGITS ? toNumber : toPlainNotation;
    case 'bigint':
    case 'money':
      return toPlainNotation;
    case 'bit':
      return toBoolean;
    case 'date':
      return toDate;
    case 'time':
      return toTime;
    case 'datetime':
    case 'smalldatetime':
    case 'datetime2':
      return toDateTime;
    case 'datetimeoffset':
      return toDateTimeOffset;
    default:
      return keep;
  }
}

const keep: Converter = (text) => text;

const toInteger: Converter = (text) => (/^[+-]?\d{1,10}$/.test(text) ? finite(text) : undefined);

const toNumber: Converter = (text) =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? finite(text) : undefined;

/** JSON has neither infinity nor minus zero; the text keeps them. */
function finite(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) && !Object.is(number, -0) ? number : undefined;
}

const toPlainNotation: Converter = (text) => (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? text : undefined);

const booleans = new Map([
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);
const toBoolean: Converter = (text) => booleans.get(text.toLowerCase());

const toDate: Converter = (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined);

const toTime: Converter = (text) => (/^\d{2}:\d{2}:\d{2}(\.\d{1,7})?$/.test(text) ? text : undefined);

const toDateTime: Converter = (text) => {
  const found = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2}(\.\d{1,7})?)?)$/.exec(text);
  return found === null ? undefined : `${found[1]}T${found[2]}`;
};

const toDateTimeOffset: Converter = (text) => {
  const found = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?) ?([+-]\d{2}:\d{2}|Z)$/.exec(text);
  return found === null ? undefined : `${found[1]}T${found[2]}${found[3]}`;
};
