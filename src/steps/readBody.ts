import { readMessage } from '../ces/readMessage.ts';
import type { DebeziumMessage } from '../debezium/debeziumMessage.ts';
import type { DebeziumOptions } from '../debezium/debeziumOptions.ts';
import { readDebezium } from '../debezium/readDebezium.ts';
import { DataError } from '../errors/dataError.ts';
import type { ReasonCode } from '../errors/dataErrors.ts';
import type { Segment } from '../model/segment.ts';

export type ReadBody = { readonly kind: 'segment'; readonly segment: Segment } | DebeziumMessage;

/**
 * Reads the body of a message, of CES or Debezium: one hub may carry both, so every body tells for itself. The usual
 * beginnings of Debezium's messages are looked for, and everything else is first taken for a message of CES.
 * @throws DataError when it is neither, or cannot be used.
 */
export function readBody(body: Buffer, options: DebeziumOptions): ReadBody {
  const first = startsAsDebezium(body) ? readDebezium(body, options) : undefined;
  if (first !== undefined) return first;
  try {
    return { kind: 'segment', segment: readMessage(body) };
  } catch (error) {
    if (!(error instanceof DataError) || !notOfCes.has(error.code)) throw error;
    const other = readDebezium(body, options);
    if (other === undefined) throw error;
    return other;
  }
}

/** A CloudEvent starts with its attributes, of which none is called like these. */
const debeziumStart = /^\s*\{\s*"(?:schema|payload|before|after|op|status|ts_ms)"/;
const START_BYTES = 40;

function startsAsDebezium(body: Buffer): boolean {
  return debeziumStart.test(body.toString('latin1', 0, START_BYTES));
}

/** How reading fails of a JSON object that lacks the attributes of CES, or has others of the same names. */
const notOfCes: ReadonlySet<ReasonCode> = new Set(['missing-attribute', 'wrong-type', 'unknown-type']);
