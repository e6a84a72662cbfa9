import { isJsonObject, type JsonObject } from '../json.ts';

export interface Unwrapped {
  /** Null when the message has none (`schemas.enable` is false). */
  readonly schema: JsonObject | null;
  /** Null of a tombstone. */
  readonly payload: JsonObject | null;
}

/** Takes apart what Kafka Connect's JSON converter puts together when `schemas.enable` is true. */
export function unwrap(message: JsonObject): Unwrapped {
  const { schema, payload } = message;
  const isWrapped = (isJsonObject(schema) || schema === null) && (isJsonObject(payload) || payload === null);
  if (!isWrapped) return { schema: null, payload: message };
  return { schema: schema ?? null, payload: payload ?? null };
}

/** The schema of one field of a struct; null where it is not told. */
export function fieldSchema(schema: JsonObject | null, field: string): JsonObject | null {
  const fields = schema?.['fields'];
  if (!Array.isArray(fields)) return null;
  const found: unknown = fields.find((one) => isJsonObject(one) && one['field'] === field);
  return isJsonObject(found) ? found : null;
}
