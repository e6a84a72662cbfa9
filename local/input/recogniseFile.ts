import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { unreadable } from './inputError.ts';
import { inMebibytes, MAX_MESSAGE_BYTES } from './limits.ts';
import { readBytes } from './readBytes.ts';

/** One message in a file; a recording of many; an Avro container written by Event Hubs Capture. */
export type InputKind = 'message' | 'recording' | 'capture';

/** The kind of a file, or what it lacks to be a message (the end of a sentence, no values from the file). */
export type Recognised =
  | { readonly kind: InputKind }
  | { readonly kind: 'unknown'; readonly problem: string };

/**
 * Says what a file is: by its content, and by its extension only where the content leaves it open, as a
 * recording can start with a broken line. `size` is in bytes.
 *
 * @throws {InputError} if the file cannot be read
 */
export async function recogniseFile(path: string, size: number): Promise<Recognised> {
  const head = await readBytes(path, 0, AVRO_MAGIC.length);
  if (head.equals(AVRO_MAGIC)) {
    return { kind: 'capture' };
  }
  const isDatum = head.equals(DATUM_START);
  if (!isDatum && RECORDING_EXTENSIONS.has(extname(path).toLowerCase())) {
    return { kind: 'recording' };
  }
  if (size > MAX_MESSAGE_BYTES) {
    return unknown(`it has more than ${inMebibytes(MAX_MESSAGE_BYTES)}, the largest message of Event Hubs`);
  }
  return isDatum ? { kind: 'message' } : recogniseText(await textOf(path));
}

/** An Avro object container file. */
const AVRO_MAGIC = Buffer.from('Obj\x01', 'latin1');
/** An envelope in CES's binary encoding: its first field, `specversion`, is the Avro string "1.0". */
const DATUM_START = Buffer.from('\x061.0', 'latin1');
const RECORDING_EXTENSIONS: ReadonlySet<string> = new Set(['.jsonl', '.ndjson']);

function recogniseText(text: string): Recognised {
  if (text.trim() === '') {
    return unknown('it is empty');
  }
  if (isRecordedMessage(text.trimStart().split('\n', 1)[0] ?? '')) {
    return { kind: 'recording' };
  }
  const value = parse(text);
  if (value === undefined) {
    return unknown('it is neither JSON nor Avro');
  }
  if (!isCloudEvent(value) && !isDebezium(value)) {
    return unknown('it has neither "specversion" and "data" (CES) nor "source" and "op" (Debezium)');
  }
  return { kind: 'message' };
}

function isCloudEvent(value: unknown): boolean {
  return has(value, 'specversion') && (has(value, 'data') || has(value, 'data_base64'));
}

/** A change or the boundary of a transaction as Debezium writes it, with its schema or without. */
function isDebezium(value: unknown): boolean {
  return (
    (has(value, 'schema') && has(value, 'payload')) ||
    (has(value, 'op') && has(value, 'source')) ||
    (has(value, 'status') && has(value, 'event_count'))
  );
}

function isRecordedMessage(line: string): boolean {
  const value = parse(line);
  return has(value, 'partition') && (has(value, 'body') || has(value, 'bodyText'));
}

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text without its byte order mark. Broken UTF-8 is no reason to refuse: CES cuts events by bytes. */
async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readFile(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unknown(problem: string): Recognised {
  return { kind: 'unknown', problem };
}
