import { DataError } from './errors/dataError.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses one level of a message. `where` names it in the error.
 * The engine's own message quotes the text, so only the position is kept: errors never show row values.
 */
export function parseJsonObject(text: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(
      'invalid-json',
      `${where} is not JSON${positionOf(error)} (${text.length} characters)`,
    );
  }
  if (!isJsonObject(value)) throw wrongType(where, value, 'an object');
  return value;
}

/**
 * Parses text that {@link parseJsonObject} has accepted once more, with every number as the text it was written
 * as: for values that should have been text, so that no digit is lost in a double.
 * @throws DataError when the text is nested deeper than the engine can walk; no CES message comes near.
 */
export function parseKeepingNumbers(text: string, where: string): JsonObject {
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value,
    ) as JsonObject;
  } catch (error) {
    if (error instanceof RangeError) throw new DataError('invalid-json', `${where} is nested too deep`);
    throw error;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws DataError missing-attribute or wrong-type. */
export function requireText(object: JsonObject, name: string, where: string): string {
  const value = object[name];
  if (typeof value === 'string') return value;
  throw value === undefined ? missing(where, name) : wrongType(`${name} in ${where}`, value, 'text');
}

/** Undefined when the property is missing or null. @throws DataError wrong-type. */
export function optionalText(object: JsonObject, name: string, where: string): string | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrongType(`${name} in ${where}`, value, 'text');
}

export function missing(where: string, name: string): DataError {
  return new DataError('missing-attribute', `${where} has no ${name}`);
}

export function wrongType(what: string, value: unknown, expected: string): DataError {
  return new DataError('wrong-type', `${what} is ${typeName(value)}, expected ${expected}`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Only at the end of the engine's message: before it, the message can quote the text. */
function positionOf(error: unknown): string {
  const found =
    error instanceof Error ? / at (position \d+) \(line \d+ column \d+\)$/.exec(error.message) : null;
  return found === null ? '' : ` at ${found[1]}`;
}
