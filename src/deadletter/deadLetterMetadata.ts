import { MAX_METADATA_VALUE_BYTES } from '../limits.ts';
import type { KeyColumn } from '../model/change.ts';
import { tableText } from '../model/table.ts';
import type { DeadLetter } from './deadLetter.ts';

/** Blob metadata of a dead letter. Values are percent-encoded, since HTTP headers hold ASCII only. */
export function deadLetterMetadata(letter: DeadLetter): Record<string, string> {
  const { source } = letter.message;
  const { key = [] } = letter;
  const values = {
    reason: letter.error.code,
    message: letter.error.message,
    hub: source.hub,
    partition: source.partition,
    sequencenumber: source.sequenceNumber,
    offset: source.offset,
    enqueuedtime: source.enqueuedTime,
    table: letter.table === undefined ? undefined : tableText(letter.table),
    key: key.length === 0 ? undefined : JSON.stringify(keyValues(key)),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, encode(value)]])),
  );
}

function keyValues(key: readonly KeyColumn[]): Record<string, string> {
  return Object.fromEntries(key.map(({ column, value }) => [column, value]));
}

const unsafe = /[^\x21-\x24\x26-\x7e ]/u;

/** Cut between characters, so that the rest can still be decoded. */
function encode(text: string): string {
  let encoded = '';
  for (const character of text.toWellFormed().trimStart()) {
    const next = unsafe.test(character) ? encodeURIComponent(character) : character;
    if (encoded.length + next.length > MAX_METADATA_VALUE_BYTES) break;
    encoded += next;
  }
  // A space at the end would be lost on the way, and the signature of the request would not fit any more.
  return encoded.trimEnd();
}
