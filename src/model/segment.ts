import type { LogicalId } from './logicalId.ts';
import type { Operation } from './operation.ts';

/** One Event Hubs message of an event, read but not yet joined with the other segments. */
export interface Segment {
  readonly logicalId: LogicalId;
  readonly operation: Operation;
  /** UTC commit time as sent, null when the envelope has none. Never an order. */
  readonly time: string | null;
  /** As sent; the first segment of an event has 0 or 1, depending on the server's build. */
  readonly index: number;
  /** True for the last segment of an event. */
  readonly final: boolean;
  readonly encoding: Encoding;
  readonly payload: Payload;
}

export type Encoding = 'json' | 'avro';

/**
 * This segment's part of `data`.
 * text: a JSON string, which may hold characters or bytes written as characters: only the joined text tells.
 * object: `data` that was embedded as a JSON object instead of text.
 */
export type Payload =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> };

/** Size of the payload in the memory of the process, in bytes; objects are whole and come alone. */
export function payloadBytes(payload: Payload): number {
  switch (payload.kind) {
    case 'text':
      return payload.text.length;
    case 'bytes':
      return payload.bytes.length;
    case 'object':
      return 0;
    default:
      return payload satisfies never;
  }
}

/** Whether two segments carry the same content; `id` and white space of the envelope do not count. */
export function sameContent(a: Segment, b: Segment): boolean {
  return (
    a.final === b.final &&
    a.operation === b.operation &&
    a.encoding === b.encoding &&
    samePayload(a.payload, b.payload)
  );
}

function samePayload(a: Payload, b: Payload): boolean {
  switch (a.kind) {
    case 'text':
      return b.kind === 'text' && a.text === b.text;
    case 'bytes':
      return b.kind === 'bytes' && a.bytes.equals(b.bytes);
    case 'object':
      return b.kind === 'object' && JSON.stringify(a.value) === JSON.stringify(b.value);
    default:
      return a satisfies never;
  }
}
