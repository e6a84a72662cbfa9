import { wrongType } from '../json.ts';

/**
 * A whole number that may be written as text, as some converters do; null when it is missing or null.
 * @throws DataError wrong-type.
 */
export function readNumber(sent: unknown, what: string): number | null {
  if (sent === undefined || sent === null) return null;
  const number = typeof sent === 'string' && /^\d{1,16}$/.test(sent) ? Number(sent) : sent;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw wrongType(what, sent, 'a whole number');
}
