import type { Random } from './random.ts';
import { type SqlType, textCell } from './sqlValue.ts';

/** Most dates are of our time; the others come from the whole range of the type. */
const RECENT_SHARE = 0.8;
const RECENT_YEARS: YearRange = [1990, 2030];
/** No month is shorter. */
const LAST_DAY = 28;

type YearRange = readonly [first: number, last: number];

export const date: SqlType = {
  name: 'date',
  generate: (random) => textCell(dateText(random, [1, 9999])),
};

export const datetime = dateAndTime('datetime', [1753, 9999], (random) => timeText(random, 3));
export const smalldatetime = dateAndTime(
  'smalldatetime',
  [1900, 2078],
  (random) => `${minuteText(random)}:00`,
);

export function time(scale: number): SqlType {
  return { name: `time(${scale})`, generate: (random) => textCell(timeText(random, scale)) };
}

export function datetime2(scale: number): SqlType {
  return dateAndTime(`datetime2(${scale})`, [1, 9999], (random) => timeText(random, scale));
}

/** Sent with a space before the offset; a replica has ISO 8601. */
export function datetimeoffset(scale: number): SqlType {
  return {
    name: `datetimeoffset(${scale})`,
    generate: (random) => {
      const day = dateText(random, [2, 9998]);
      const clock = timeText(random, scale);
      const offset = random.pick(['+00:00', '+02:00', '-07:00', '+05:45', '+14:00', '-14:00']);
      return { text: `${day} ${clock} ${offset}`, json: `${day}T${clock}${offset}` };
    },
  };
}

/** Sent with a space between the date and the time; a replica has ISO 8601 without a zone. */
function dateAndTime(name: string, years: YearRange, clockText: (random: Random) => string): SqlType {
  return {
    name,
    generate: (random) => {
      const day = dateText(random, years);
      const clock = clockText(random);
      return { text: `${day} ${clock}`, json: `${day}T${clock}` };
    },
  };
}

function dateText(random: Random, years: YearRange): string {
  const [first, last] = random.chance(RECENT_SHARE) ? RECENT_YEARS : years;
  const year = String(random.integer(first, last)).padStart(4, '0');
  return `${year}-${twoDigits(random.integer(1, 12))}-${twoDigits(random.integer(1, LAST_DAY))}`;
}

function timeText(random: Random, scale: number): string {
  const seconds = `${minuteText(random)}:${twoDigits(random.integer(0, 59))}`;
  return scale === 0 ? seconds : `${seconds}.${random.digits(scale)}`;
}

function minuteText(random: Random): string {
  return `${twoDigits(random.integer(0, 23))}:${twoDigits(random.integer(0, 59))}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
