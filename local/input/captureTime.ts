/**
 * Converts Capture's `EnqueuedTimeUtc`, such as `8/7/2026 4:25:00 PM` (month first), to ISO 8601 with `Z`.
 *
 * @throws {RangeError} for any other text
 */
export function captureTime(text: string): string {
  const match = CAPTURE_TIME.exec(text);
  if (match === null) {
    throw new RangeError('EnqueuedTimeUtc is not a time such as "8/7/2026 4:25:00 PM"');
  }
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const hourOfDay = (hour % HOURS_IN_HALF_A_DAY) + (match[7] === 'PM' ? HOURS_IN_HALF_A_DAY : 0);
  const time = new Date(Date.UTC(year, month - 1, day, hourOfDay, minute, second));
  if (time.getUTCMonth() !== month - 1) {
    throw new RangeError('EnqueuedTimeUtc is not a day of the calendar');
  }
  return time.toISOString();
}

const CAPTURE_TIME =
  /^(1[0-2]|[1-9])\/(3[01]|[12]\d|[1-9])\/(\d{4}) (1[0-2]|[1-9]):([0-5]\d):([0-5]\d) (AM|PM)$/;
const HOURS_IN_HALF_A_DAY = 12;
