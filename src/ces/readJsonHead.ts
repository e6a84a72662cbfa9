import { isJsonObject } from '../json.ts';
import type { Image } from '../model/change.ts';
import type { ChangeHead } from '../model/changeHead.ts';
import type { Payload } from '../model/segment.ts';
import type { DataHead } from './dataHead.ts';
import { describe, readKey, readTransaction } from './decodeJsonData.ts';
import { joinBytes } from './joinPayloads.ts';
import { isCut, parseJsonPrefix } from './jsonPrefix.ts';

/**
 * Reads the beginning of JSON `data`.
 * @param payloads those of the first segments, in order.
 * @throws DataError when something stands where it does not belong, or `cols` or `pkkey` is cut.
 */
export function readJsonHead(payloads: readonly Payload[]): DataHead | undefined {
  const data = thereOf(parseJsonPrefix(joinPrefix(payloads)));
  if (!isJsonObject(data)) return undefined;
  const source = thereOf(data['eventsource']);
  if (!isJsonObject(source) || !Array.isArray(source['pkkey'])) return undefined;
  const transaction = source['transaction'];
  const row = thereOf(data['eventrow']);
  return {
    ...describe({ eventsource: source }),
    key: readKey(source),
    transaction: isCut(transaction) ? null : readTransaction(transaction),
    old: isJsonObject(row) ? readOldPrefix(row['old']) : undefined,
  };
}

/** Reads an `old` image that may be cut: text holding JSON, or an object. */
export function readOldPrefix(sent: unknown): ChangeHead['old'] {
  const written = thereOf(sent);
  const known = typeof written === 'string' ? parseJsonPrefix(written) : written;
  const whole = !isCut(sent) && !(typeof written === 'string' && written !== '' && isCut(known));
  const image = thereOf(known);
  if (whole && (written === '' || image === null)) return null;
  if (!isJsonObject(image)) return undefined;
  const values = Object.entries(image).filter(([, value]) => typeof value === 'string' || value === null);
  return whole && Object.keys(image).length === 0 ? null : (Object.fromEntries(values) as Image);
}

function thereOf(value: unknown): unknown {
  return isCut(value) ? value.there : value;
}

/** Joins as for a whole event, except that the end may lie inside a character. */
function joinPrefix(payloads: readonly Payload[]): string {
  if (payloads.some(({ kind }) => kind === 'bytes')) return decodePrefix(joinBytes(payloads)) ?? '';
  const text = payloads.map((payload) => (payload.kind === 'text' ? payload.text : '')).join('');
  if (/[^\0-\xff]/.test(text)) return text;
  return decodePrefix(Buffer.from(text, 'latin1')) ?? text;
}

/** Undefined when the bytes are no beginning of UTF-8. */
function decodePrefix(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
