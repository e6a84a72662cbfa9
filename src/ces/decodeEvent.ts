import { assert } from '../errors/bug.ts';
import type { Change } from '../model/change.ts';
import type { Segment } from '../model/segment.ts';
import { type DataRecord, toChange } from './dataRecord.ts';
import { decodeAvroData } from './decodeAvroData.ts';
import { decodeJsonData } from './decodeJsonData.ts';
import { joinBytes, joinJsonPayloads } from './joinPayloads.ts';

/**
 * Decodes a whole event.
 * @param segments all segments of one event, by ascending index, of one encoding.
 * @throws DataError when the joined data is not a row change.
 */
export function decodeEvent(segments: readonly Segment[]): Change {
  const head = segments[0];
  assert(head !== undefined, 'an event has at least one segment');
  return toChange(head, decodeData(head, segments));
}

function decodeData(head: Segment, segments: readonly Segment[]): DataRecord {
  const payloads = segments.map((segment) => segment.payload);
  switch (head.encoding) {
    case 'json':
      return decodeJsonData(joinJsonPayloads(payloads));
    case 'avro':
      return decodeAvroData(joinBytes(payloads));
    default:
      return head.encoding satisfies never;
  }
}
