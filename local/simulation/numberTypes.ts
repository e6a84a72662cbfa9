import type { Random } from './random.ts';
import { numberCell, type SqlType, textCell } from './sqlValue.ts';

/** Decimals up to this precision survive the way through a double and back. */
const EXACT_DECIMAL_DIGITS = 15;
const EDGE_SHARE = 0.1;
/** Powers of ten of the floating point numbers made. */
const MAX_EXPONENT = 25;
const SMALL_MONEY_DIGITS = 5;
const MONEY_DIGITS = 14;
const MONEY_SCALE = 4;
const BIGINT_DIGITS = 18;

export const bit: SqlType = {
  name: 'bit',
  generate: (random) => (random.chance(0.5) ? { text: '1', json: true } : { text: '0', json: false }),
};

export const tinyint = whole('tinyint', 0, 255);
export const smallint = whole('smallint', -32_768, 32_767);
export const int = whole('int', -2_147_483_648, 2_147_483_647);

export const bigint: SqlType = {
  name: 'bigint',
  generate: (random) =>
    textCell(
      random.chance(EDGE_SHARE)
        ? random.pick(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])
        : signed(random, plainWhole(random, BIGINT_DIGITS)),
    ),
};

/** An int key: half of them small, so that the tables of the simulation share keys and keys come back. */
export const intKey: SqlType = {
  name: 'int',
  generate: (random) =>
    numberCell(String(random.chance(0.5) ? random.integer(-5, 1000) : random.integer(1001, 2_147_483_647))),
};

/** `decimal(precision,scale)` or `numeric(precision,scale)`. */
export function decimal(precision: number, scale: number, name: 'decimal' | 'numeric' = 'decimal'): SqlType {
  return {
    name: `${name}(${precision},${scale})`,
    generate: (random) => {
      const text = plainDecimal(random, precision - scale, scale);
      return precision <= EXACT_DECIMAL_DIGITS ? numberCell(text) : textCell(text);
    },
  };
}

export const smallmoney: SqlType = {
  name: 'smallmoney',
  generate: (random) => numberCell(plainDecimal(random, SMALL_MONEY_DIGITS, MONEY_SCALE)),
};

export const money: SqlType = {
  name: 'money',
  generate: (random) =>
    textCell(
      random.chance(EDGE_SHARE)
        ? random.pick(['922337203685477.5807', '-922337203685477.5808', '0.0000'])
        : plainDecimal(random, MONEY_DIGITS, MONEY_SCALE),
    ),
};

export const real: SqlType = {
  name: 'real',
  generate: (random) => numberCell(Math.fround(anyDouble(random)).toPrecision(7)),
};

export const float: SqlType = {
  name: 'float',
  generate: (random) => {
    const value = anyDouble(random);
    return numberCell(random.chance(0.5) ? String(value) : value.toExponential(16));
  },
};

function whole(name: string, least: number, most: number): SqlType {
  return {
    name,
    generate: (random) =>
      numberCell(
        String(random.chance(EDGE_SHARE) ? random.pick([least, most, 0]) : random.integer(least, most)),
      ),
  };
}

function plainDecimal(random: Random, wholeDigits: number, scale: number): string {
  const text = plainWhole(random, wholeDigits);
  return signed(random, scale === 0 ? text : `${text}.${random.digits(scale)}`);
}

/** Up to `most` digits without a leading zero. */
function plainWhole(random: Random, most: number): string {
  if (most === 0) return '0';
  const digits = random.digits(random.integer(1, most)).replace(/^0+/, '');
  return digits === '' ? '0' : digits;
}

/** Zero has no sign: SQL Server knows no negative zero in its exact types. */
function signed(random: Random, text: string): string {
  return random.chance(0.3) && /[1-9]/.test(text) ? `-${text}` : text;
}

function anyDouble(random: Random): number {
  return (random.next() - 0.5) * 10 ** random.integer(-MAX_EXPONENT, MAX_EXPONENT);
}
