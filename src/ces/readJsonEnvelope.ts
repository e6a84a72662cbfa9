import { isUtf8 } from 'node:buffer';
import { DataError } from '../errors/dataError.ts';
import {
  isJsonObject,
  type JsonObject,
  missing,
  optionalText,
  parseJsonObject,
  parseKeepingNumbers,
  requireText,
  wrongType,
} from '../json.ts';
import type { Payload, Segment } from '../model/segment.ts';
import { checkEnvelope, checkSegmentIndex } from './envelope.ts';

const where = 'the envelope';
const requiredByCloudEvents = ['specversion', 'source', 'id'];

/**
 * Reads a CES CloudEvent written as JSON, of either generation of segment attributes.
 * @throws DataError naming the attribute.
 */
export function readJsonEnvelope(body: Buffer): Segment {
  // A cut by bytes can fall inside a character. A sender that then writes the bytes as they are makes a body
  // that is not UTF-8 in itself; read byte by byte, only the joined event has to be UTF-8.
  const rawBytes = !isUtf8(body);
  const text = body.toString(rawBytes ? 'latin1' : 'utf8');
  const envelope = parseJsonObject(text, where);
  for (const attribute of requiredByCloudEvents) requireText(envelope, attribute, where);
  const type = requireText(envelope, 'type', where);
  const logicalid = requireText(envelope, 'logicalid', where);
  const operation = requireText(envelope, 'operation', where);
  optionalText(envelope, 'datacontenttype', where);
  const attributes = checkEnvelope(type, logicalid, operation);
  const { index, final } = readPlace(envelope);
  return {
    logicalId: attributes.logicalId,
    operation: attributes.operation,
    time: optionalText(envelope, 'time', where) ?? null,
    index,
    final,
    encoding: 'json',
    payload: readPayload(envelope, text, rawBytes),
  };
}

interface Place {
  readonly index: number;
  readonly final: boolean;
}

function readPlace(envelope: JsonObject): Place {
  if (envelope['segmentindex'] !== undefined || envelope['finalsegment'] !== undefined) {
    const final = envelope['finalsegment'];
    if (final === undefined) throw missing(where, 'finalsegment');
    if (typeof final !== 'boolean') throw wrongType('finalsegment', final, 'true or false');
    return { index: readIndex(envelope, 'segmentindex'), final };
  }
  if (envelope['splitindex'] === undefined && envelope['splittotalcnt'] === undefined) {
    throw missing(where, 'segmentindex and finalsegment (or splitindex and splittotalcnt)');
  }
  const index = readIndex(envelope, 'splitindex');
  const total = readIndex(envelope, 'splittotalcnt');
  // The older generation: a total of 0 marks an event that was not split.
  if (index > Math.max(total - 1, 0)) {
    throw new DataError('invalid-segment', `splitindex is ${index} although splittotalcnt is ${total}`);
  }
  return { index, final: index === Math.max(total - 1, 0) };
}

function readIndex(envelope: JsonObject, attribute: string): number {
  const value = envelope[attribute];
  if (value === undefined) throw missing(where, attribute);
  if (typeof value !== 'number') throw wrongType(attribute, value, 'an integer');
  return checkSegmentIndex(attribute, value);
}

function readPayload(envelope: JsonObject, text: string, rawBytes: boolean): Payload {
  const data = envelope['data'];
  if (typeof data === 'string') return rawBytes ? bytesOf(data) : { kind: 'text', text: data };
  if (isJsonObject(data)) {
    if (rawBytes) throw new DataError('invalid-utf8', 'the body is not UTF-8 and its data is not text');
    return { kind: 'object', value: parseKeepingNumbers(text, where)['data'] as JsonObject };
  }
  if (data !== undefined && data !== null) throw wrongType('data', data, 'text or an object');
  const base64 = optionalText(envelope, 'data_base64', where);
  if (base64 === undefined)
    throw data === null ? wrongType('data', data, 'text or an object') : missing(where, 'data');
  // Buffer.from skips over what is not base64 without a word. Four characters are three bytes, so of the last
  // four there is never a single one.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(base64)) {
    throw new DataError('invalid-data', 'data_base64 is not base64');
  }
  return { kind: 'bytes', bytes: Buffer.from(base64, 'base64') };
}

function bytesOf(latin1: string): Payload {
  if (/[^\0-\xff]/.test(latin1)) {
    throw new DataError(
      'invalid-utf8',
      'data mixes bytes that are not UTF-8 with escaped characters above U+00FF',
    );
  }
  return { kind: 'bytes', bytes: Buffer.from(latin1, 'latin1') };
}
