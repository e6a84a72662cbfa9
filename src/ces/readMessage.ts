import { DataError } from '../errors/dataError.ts';
import type { Segment } from '../model/segment.ts';
import { readAvroEnvelope } from './readAvroEnvelope.ts';
import { readJsonEnvelope } from './readJsonEnvelope.ts';

/**
 * Reads the body of one Event Hubs message: a CES CloudEvent as JSON or as one raw Avro datum.
 * Only the bytes decide which: `datacontenttype` differs between builds that write the same encoding.
 * @throws DataError when the body is not a CES message.
 */
export function readMessage(body: Buffer): Segment {
  if (body.length === 0) throw new DataError('empty-message', 'the message has no body');
  const start = firstTextByte(body);
  if (body[start] === OPENING_BRACE) return readJsonEnvelope(start === 0 ? body : body.subarray(start));
  if (startsWith(body, avroStart)) return readAvroEnvelope(body);
  const found = body.subarray(0, 4).toString('hex').toUpperCase();
  throw new DataError(
    'unknown-format',
    `the body starts with bytes ${found}; JSON starts with 7B, an Avro CloudEvent with 06312E30`,
  );
}

const OPENING_BRACE = 0x7b;
/** `specversion` "1.0" as Avro writes it: its length, 3, then the text. */
const avroStart = [0x06, 0x31, 0x2e, 0x30];
const byteOrderMark = [0xef, 0xbb, 0xbf];
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);

function firstTextByte(body: Buffer): number {
  let at = startsWith(body, byteOrderMark) ? byteOrderMark.length : 0;
  while (whiteSpace.has(body[at] ?? 0)) at += 1;
  return at;
}

function startsWith(body: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => body[index] === byte);
}
