import { DataError } from '../errors/dataError.ts';
import type { JsonObject } from '../json.ts';
import type { DebeziumMessage, IgnoredMessage } from './debeziumMessage.ts';
import { type DebeziumOptions, defaultDebeziumOptions } from './debeziumOptions.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { hasInexactNumbers } from './hasInexactNumbers.ts';
import { parseMessage } from './parseMessage.ts';
import { isBoundary, readBoundary } from './readBoundary.ts';
import { readChange } from './readChange.ts';
import { isCloudEvent, readCloudEvent } from './readCloudEvent.ts';
import { unwrap } from './unwrap.ts';

/**
 * Reads the body of one message of Debezium's SQL Server connector: JSON with schema or without, or a CloudEvent of
 * the structured mode around either.
 * @returns undefined when the body is nothing of Debezium's.
 * @throws DataError when it is, and cannot be used.
 */
export function readDebezium(
  body: Buffer,
  options: DebeziumOptions = defaultDebeziumOptions,
): DebeziumMessage | undefined {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  try {
    return readText(text, options);
  } catch (error) {
    // Parsing knows no depth, but writing a value or a schema as text does.
    if (error instanceof RangeError) throw new DataError('invalid-json', 'the message is nested too deep');
    throw error;
  }
}

function readText(text: string, options: DebeziumOptions): DebeziumMessage | undefined {
  const parsed = parseMessage(text);
  if (parsed === undefined) return undefined;
  const { message } = parsed;
  const { payload } = unwrap(message);
  if (payload === null) return ignored('tombstone');
  const envelope = envelopeIn(message);
  if (envelope !== undefined) {
    const exact = hasInexactNumbers(envelope) ? envelopeIn(parsed.exact()) : envelope;
    return readEnvelope(exact ?? envelope, options);
  }
  if (isBoundary(payload)) return { kind: 'boundary', boundary: readBoundary(payload) };
  if (isSchemaChange(payload)) return ignored('schema change');
  return isHeartbeat(payload) ? ignored('heartbeat') : undefined;
}

function envelopeIn(message: JsonObject): Envelope | undefined {
  const { schema, payload } = unwrap(message);
  if (payload === null) return undefined;
  return isCloudEvent(payload) ? readCloudEvent(payload) : envelopeOf(payload, schema);
}

function readEnvelope(envelope: Envelope, options: DebeziumOptions): DebeziumMessage {
  switch (envelope.op) {
    case 't':
      return ignored('truncate');
    case 'm':
      return ignored('logical message');
    default:
      return { kind: 'change', change: readChange(envelope, options) };
  }
}

/** `include.schema.changes`: what Debezium tells of the tables themselves. */
function isSchemaChange(payload: JsonObject): boolean {
  return typeof payload['ddl'] === 'string' || Array.isArray(payload['tableChanges']);
}

/** `heartbeat.interval.ms`: a message that has nothing but the time. */
function isHeartbeat(payload: JsonObject): boolean {
  const names = Object.keys(payload);
  return names.length > 0 && names.every((name) => /^ts_(ms|us|ns)$/.test(name));
}

function ignored(what: IgnoredMessage): DebeziumMessage {
  return { kind: 'ignored', what };
}
