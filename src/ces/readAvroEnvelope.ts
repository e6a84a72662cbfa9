import { DataError } from '../errors/dataError.ts';
import type { Segment } from '../model/segment.ts';
import { decodeAvro, hasReplacedText } from './avro.ts';
import { envelopeType } from './avroSchemas.ts';
import { checkEnvelope, checkSegmentIndex } from './envelope.ts';

/**
 * Reads a CES CloudEvent written as one raw Avro datum: no container, no fingerprint, no registry id.
 * @throws DataError when the bytes do not follow the schema exactly.
 */
export function readAvroEnvelope(body: Buffer): Segment {
  const decoded = decodeAvro(envelopeType, body, 0);
  if (decoded === undefined || decoded.end > body.length) {
    throw new DataError('invalid-avro', `the envelope is cut short (${body.length} bytes)${hint(body)}`);
  }
  if (decoded.end < body.length) {
    const trailing = body.length - decoded.end;
    throw new DataError(
      'invalid-avro',
      `${trailing} bytes follow the envelope of ${decoded.end} bytes${hint(body)}`,
    );
  }
  const envelope = decoded.value;
  // The other texts that are used have a form of their own to keep.
  if (hasReplacedText([envelope.time], body)) {
    throw new DataError('invalid-utf8', 'time in the envelope is not UTF-8');
  }
  return {
    ...checkEnvelope(envelope.type, envelope.logicalid, envelope.operation),
    time: envelope.time === '' ? null : envelope.time,
    index: checkSegmentIndex('segmentindex', envelope.segmentindex),
    final: envelope.finalsegment,
    encoding: 'avro',
    payload: { kind: 'bytes', bytes: envelope.data },
  };
}

/** Bytes read as text somewhere and written again hold EF BF BD, the UTF-8 of the replacement character. */
function hint(body: Buffer): string {
  return body.includes('\ufffd')
    ? '; it holds EF BF BD: something decoded the bytes as text on the way, so give the trigger dataType binary'
    : '';
}
