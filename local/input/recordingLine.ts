import { z } from 'zod';
import type { HubMessage } from '../hubMessage.ts';

/** A message of a recording. */
export interface RecordedMessage {
  readonly message: HubMessage;
  /** Messages of one delivery carry the same number; absent where the recording does not say. */
  readonly batch: number | undefined;
}

/**
 * Reads one line: `{"partition":"0","sequenceNumber":12,"offset":"4096","enqueuedTime":"2026-08-07T16:25:00.890Z",
 * "partitionKey":null,"batch":3,"body":"<base64>"}`, with `"bodyText":"<text>"` instead of `body` where the
 * bytes are UTF-8. `batch` and `partitionKey` may be left out.
 *
 * @returns the message, or what is wrong with the line (part of a sentence, without values from the line)
 */
export function parseRecordingLine(text: string): RecordedMessage | string {
  const json = parseJson(text);
  if (json === undefined) {
    return 'it is not JSON';
  }
  const parsed = RecordingLine.safeParse(json);
  if (!parsed.success) {
    return firstProblem(parsed.error);
  }
  const { partition, sequenceNumber, offset, enqueuedTime, partitionKey, batch, body, bodyText } =
    parsed.data;
  const bytes = parseBody(body, bodyText);
  if (typeof bytes === 'string') {
    return bytes;
  }
  const message = { body: bytes, partitionId: partition, sequenceNumber, offset, enqueuedTime, partitionKey };
  return { message, batch };
}

/** Writes one line without its line feed. Bodies are written as text where they can be, to be read and compared. */
export function formatRecordingLine({ message, batch }: RecordedMessage): string {
  return JSON.stringify({
    partition: message.partitionId,
    sequenceNumber: message.sequenceNumber,
    offset: message.offset,
    enqueuedTime: message.enqueuedTime,
    partitionKey: message.partitionKey,
    batch,
    ...formatBody(message.body),
  });
}

const RecordingLine = z.strictObject({
  partition: z.string().regex(/^\d{1,4}$/, 'expected a partition number as text, such as "0"'),
  sequenceNumber: z.int().min(0),
  offset: z.string(),
  enqueuedTime: z.iso.datetime('expected a UTC time such as "2026-08-07T16:25:00.890Z"'),
  partitionKey: z.string().nullable().default(null),
  batch: z.int().optional(),
  body: z.string().optional(),
  bodyText: z.string().optional(),
});

function firstProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  const field = issue?.path.join('.') ?? '';
  return field === '' ? (issue?.message ?? error.message) : `${field}: ${issue?.message}`;
}

/** The bytes of a body, or what is wrong with it. */
function parseBody(base64: string | undefined, text: string | undefined): Uint8Array | string {
  if (text !== undefined && base64 === undefined) {
    return text.isWellFormed()
      ? Buffer.from(text, 'utf8')
      : 'bodyText: half of a surrogate pair has no bytes';
  }
  if (base64 === undefined || text !== undefined) {
    return 'expected either "body" or "bodyText"';
  }
  const bytes = Buffer.from(base64, 'base64');
  // Buffer ignores what is not base64: only the way back shows that nothing was lost.
  return bytes.toString('base64') === base64 ? bytes : 'body: expected base64 with padding';
}

/** JSON at most doubles text, unless it is full of control characters: those are no text to read. */
const MAX_ESCAPED_GROWTH = 2;

function formatBody(bytes: Uint8Array): { body: string } | { bodyText: string } {
  const bodyText = decodeUtf8(bytes);
  if (bodyText !== undefined && escapedBytes(bodyText) <= MAX_ESCAPED_GROWTH * bytes.length) {
    return { bodyText };
  }
  return { body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
}

function escapedBytes(text: string): number {
  const quotes = 2;
  return Buffer.byteLength(JSON.stringify(text)) - quotes;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // ignoreBOM keeps a byte order mark in the text: it is part of the body.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
