type Reader = (value: unknown) => string | undefined;

/** Days since 1970 as `2026-08-07`. */
export const dateText: Reader = (value) => {
  const days = wholeOf(value);
  return days === undefined ? undefined : dayText(days);
};

/**
 * Time since midnight as `16:25:00.8833333`.
 * @param digits decimal digits of a second that one unit is: 3 for milliseconds.
 * @param scale digits of the second's fraction that the column has.
 */
export function timeText(digits: number, scale: number): Reader {
  const perDay = 86_400n * 10n ** BigInt(digits);
  return (value) => {
    const ticks = wholeOf(value);
    return ticks === undefined || ticks < 0n || ticks >= perDay ? undefined : clockText(ticks, digits, scale);
  };
}

/** Time since 1970 as `2026-08-07 16:25:00.8833333`; the other parameters as for {@link timeText}. */
export function timestampText(digits: number, scale: number): Reader {
  const perDay = 86_400n * 10n ** BigInt(digits);
  return (value) => {
    const ticks = wholeOf(value);
    if (ticks === undefined) return undefined;
    const ofDay = ((ticks % perDay) + perDay) % perDay;
    const day = dayText((ticks - ofDay) / perDay);
    return day === undefined ? undefined : `${day} ${clockText(ofDay, digits, scale)}`;
  };
}

/** `2026-08-07Z`: the types of SQL Server have no zone, so the one that ISO 8601 wants says nothing. */
export const isoDateText: Reader = (value) => /^(\d{4}-\d{2}-\d{2})Z?$/.exec(String(value))?.[1];

/** `16:25:00.8833333Z`, with as many digits as the value needs. */
export function isoTimeText(scale: number): Reader {
  return (value) => {
    const [, clock, fraction = ''] = isoTime.exec(String(value)) ?? [];
    return clock === undefined ? undefined : withFraction(withSeconds(clock), fraction, scale);
  };
}

const isoTime = /^(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?Z?$/;

/** `2026-08-07T16:25:00.8833333Z`, with as many digits as the value needs. */
export function isoTimestampText(scale: number): Reader {
  return (value) => {
    const [, day, clock, fraction = ''] = isoTimestamp.exec(String(value)) ?? [];
    return clock === undefined ? undefined : `${day} ${withFraction(withSeconds(clock), fraction, scale)}`;
  };
}

const isoTimestamp = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?Z?$/;

/** `2026-08-07T16:25:00.88+02:00` as `2026-08-07 16:25:00.8800000 +02:00`. */
export function zonedText(scale: number): Reader {
  return (value) => {
    const [, day, clock, fraction = '', offset] = zoned.exec(String(value)) ?? [];
    if (clock === undefined) return undefined;
    const zone = offset === 'Z' ? '+00:00' : offset;
    return `${day} ${withFraction(withSeconds(clock), fraction, scale)} ${zone}`;
  };
}

const zoned = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

const DAY_MS = 86_400_000;

/** Undefined outside the years 1 to 9999, which no type of SQL Server leaves. */
function dayText(days: bigint): string | undefined {
  const date = new Date(Number(days) * DAY_MS);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}

function clockText(ticks: bigint, digits: number, scale: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = Number(ticks / unit);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  // Of a coarser unit the further digits are not known, so none is written.
  return withFraction(clock, String(ticks % unit).padStart(digits, '0'), Math.min(scale, digits));
}

/** Java writes no seconds where there are none. */
function withSeconds(clock: string): string {
  return clock.length === 5 ? `${clock}:00` : clock;
}

/** Digits beyond the scale are zeros, unless the scale is not that of the source: then they stay. */
function withFraction(clock: string, fraction: string, scale: number): string {
  const known = fraction.replace(/0+$/, '').padEnd(scale, '0');
  return known === '' ? clock : `${clock}.${known}`;
}
