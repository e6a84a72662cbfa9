import { MAX_METADATA_VALUE_BYTES } from '../limits.ts';
import { tableText } from '../model/table.ts';
import type { DeadLetter } from './deadLetter.ts';

/** Blob metadata of a dead letter. Values are percent-encoded, since HTTP headers hold ASCII only. */
export function deadLetterMetadata(letter: DeadLetter): Record<string, string> {
  const { source } = letter.message;
  const key = letter.key?.map(({ column, value }) => [column, value]);
  const values = {
    reason: letter.error.code,
    message: letter.error.message,
    hub: source.hub,
    partition: source.partition,
    sequencenumber: source.sequenceNumber,
    offset: source.offset,
    enqueuedtime: source.enqueuedTime,
    table: letter.table === undefined ? undefined : tableText(letter.table),
    key: key === undefined ? undefined : JSON.stringify(Object.fromEntries(key)),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, encode(value)]])),
  );
}

const unsafe = /[^\x21-\x24\x26-\x7e ]/gu;

function encode(text: string): string {
  const encoded = text
    .toWellFormed()
    .replaceAll(unsafe, (character) => encodeURIComponent(character))
    .trim();
  return encoded.length <= MAX_METADATA_VALUE_BYTES ? encoded : cut(encoded);
}

/** Not inside an escape, so that the rest can still be decoded. */
function cut(encoded: string): string {
  return encoded.slice(0, MAX_METADATA_VALUE_BYTES).replace(/(%[0-9A-F]{0,2})+$/, '');
}
