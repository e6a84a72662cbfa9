import { isUtf8 } from 'node:buffer';
import { DataError } from '../errors/dataError.ts';
import type { JsonObject } from '../json.ts';
import type { Payload } from '../model/segment.ts';

/**
 * Joins the JSON `data` of an event's segments, in order, into its text.
 * A cut can fall inside a character or an escape, so nothing is decoded before everything is joined.
 * @throws DataError when the joined bytes are not UTF-8, or an object is split.
 */
export function joinJsonPayloads(payloads: readonly Payload[]): string | JsonObject {
  const [first, ...others] = payloads;
  if (first?.kind === 'object' && others.length === 0) return first.value;
  const texts: string[] = [];
  for (const payload of payloads) {
    if (payload.kind === 'object') throw new DataError('invalid-data', 'data is an object in a split event');
    if (payload.kind === 'bytes') return textOfBytes(joinBytes(payloads));
    texts.push(payload.text);
  }
  return textOfCharacters(texts.length === 1 ? (texts[0] ?? '') : texts.join(''));
}

/** Joins segments of which at least one holds bytes; text beside bytes is ordinary text. */
export function joinBytes(payloads: readonly Payload[]): Buffer {
  const [first, ...others] = payloads;
  if (first?.kind === 'bytes' && others.length === 0) return first.bytes;
  return Buffer.concat(
    payloads.map((payload) => {
      switch (payload.kind) {
        case 'bytes':
          return payload.bytes;
        case 'text':
          return Buffer.from(payload.text, 'utf8');
        case 'object':
          throw new DataError('invalid-data', 'data is an object in a split event');
        default:
          return payload satisfies never;
      }
    }),
  );
}

/**
 * CES writes JSON the way Apache Avro's JSON encoding does, where bytes become one character U+0000..U+00FF
 * each. When all characters are such and the bytes they stand for are UTF-8, that is what was meant.
 */
function textOfCharacters(text: string): string {
  if (/[^\0-\xff]/.test(text)) return text;
  // As long in UTF-8 as in characters: ASCII only, which is the usual case and quickly told.
  if (Buffer.byteLength(text) === text.length) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

function textOfBytes(bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new DataError('invalid-utf8', `the joined data (${bytes.length} bytes) is not UTF-8`);
  return bytes.toString('utf8');
}
