import { isJsonObject } from '../json.ts';
import type { Envelope } from './envelope.ts';

/**
 * Whether the rows hold numbers that may not be what was written. Without a schema nobody knows which digits
 * matter; with one, whole numbers that a double holds are fine, and so is what is a double at the source.
 */
export function hasInexactNumbers({ before, after, schema }: Envelope): boolean {
  return [before, after].some(
    (row) => isJsonObject(row) && Object.values(row).some(schema === null ? isNumber : isInexact),
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isInexact(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}
