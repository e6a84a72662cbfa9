import type { SqlValue } from '../model/change.ts';
import type { JsonType, JsonValue } from './jsonValue.ts';
import type { SqlType } from './sqlType.ts';

export interface Converted {
  readonly value: JsonValue;
  /** False when the text is not one of its type's: then it is kept as text. */
  readonly parsed: boolean;
}

/** Gives undefined for text that is not a value of the type. */
export type Converter = (text: string) => JsonValue | undefined;

/** Converts one column value. */
export function convertValue(sent: SqlValue, convert: Converter): Converted {
  if (sent === null) return { value: null, parsed: true };
  const value = convert(sent);
  return value === undefined ? { value: sent, parsed: false } : { value, parsed: true };
}

/**
 * What turns the text of a type into JSON. The JSON type follows from the declared SQL type alone, never from the
 * value: a number where a double holds every value of the type exactly, text otherwise. No time zone is added, no
 * digit dropped.
 * @param json what was chosen instead.
 */
export function converterFor(type: SqlType, json?: JsonType): Converter {
  switch (json) {
    case undefined:
      return converterOfType(type);
    case 'number':
      return toExactNumber;
    case 'text':
      return keep;
    case 'boolean':
      return toBoolean;
    default:
      return json satisfies never;
  }
}

/** Significant decimal digits that a double always keeps (IEEE 754 binary64). */
const EXACT_DIGITS = 15;
/** Precision of `decimal` and `numeric` without arguments (T-SQL, decimal and numeric). */
const DEFAULT_PRECISION = 18;

function converterOfType(type: SqlType): Converter {
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

/** A number that was chosen for a type of which a double cannot hold every value: the others stay text. */
const toExactNumber: Converter = (text) => {
  const number = toNumber(text);
  return typeof number === 'number' && isExact(text, number) ? number : undefined;
};

/**
 * Whether the number, written again, has the same digits: then it is the same decimal, since no other power of ten is
 * near it. Zeros at either end do not count.
 */
function isExact(text: string, number: number): boolean {
  return significantDigits(text) === significantDigits(String(number));
}

function significantDigits(text: string): string {
  const mantissa = text.replace(/e.*$/is, '').replace(/[^0-9]/g, '');
  // A pattern such as /0+$/ starts again at every zero.
  let start = 0;
  let end = mantissa.length;
  while (mantissa[start] === '0') start += 1;
  while (end > start && mantissa[end - 1] === '0') end -= 1;
  return mantissa.slice(start, end);
}

/** JSON has neither infinity nor minus zero, and what is too small for a double is not zero; the text keeps them. */
function finite(text: string): number | undefined {
  const number = Number(text);
  if (number === 0) return /^[+0.]*(e|$)/i.test(text) ? 0 : undefined;
  return Number.isFinite(number) ? number : undefined;
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
