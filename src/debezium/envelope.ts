import { isJsonObject, type JsonObject } from '../json.ts';

/** A change event of Debezium, out of whatever it came in. */
export interface Envelope {
  readonly op: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly source: JsonObject;
  readonly transaction?: unknown;
  /** Of the struct that has `before` and `after`; null without. */
  readonly schema: JsonObject | null;
}

/** Undefined when the payload is no change event. */
export function envelopeOf(payload: JsonObject, schema: JsonObject | null): Envelope | undefined {
  const { op, before, after, source, transaction } = payload;
  if (typeof op !== 'string' || !isJsonObject(source)) return undefined;
  return { op, before, after, source, transaction, schema };
}
