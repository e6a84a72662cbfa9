import { DataError } from '../errors/dataError.ts';
import { MAX_EVENT_BYTES } from '../limits.ts';
import type { Change } from '../model/change.ts';
import { payloadBytes, type Segment } from '../model/segment.ts';
import { completenessOf } from './completeness.ts';
import { decodeEvent } from './decodeEvent.ts';

export type Assembly =
  | { readonly state: 'incomplete' }
  | { readonly state: 'whole'; readonly change: Change }
  | { readonly state: 'broken'; readonly error: DataError };

/**
 * Makes a change of the known segments of one event, if they are all there.
 * @param segments at least one, each index once, in any order.
 * @param maxBytes of all of them; a larger event is broken, since text can only be so long.
 */
export function assembleEvent(segments: readonly Segment[], maxBytes = MAX_EVENT_BYTES): Assembly {
  const bytes = segments.reduce((sum, { payload }) => sum + payloadBytes(payload), 0);
  if (bytes > maxBytes) return { state: 'broken', error: tooLarge(bytes, maxBytes) };
  const ascending = segments.length === 1 ? segments : segments.toSorted((a, b) => a.index - b.index);
  const completeness = completenessOf(ascending);
  switch (completeness) {
    case 'incomplete':
      return { state: 'incomplete' };
    case 'contradictory':
      return { state: 'broken', error: new DataError('segment-conflict', 'the event has two ends') };
    case 'whole':
      return decode(ascending);
    case 'whole-if-decodable': {
      const assembly = decode(ascending);
      return assembly.state === 'whole' || startsEvent(ascending[0]) ? assembly : { state: 'incomplete' };
    }
    default:
      return completeness satisfies never;
  }
}

/** The refusal of an event that cannot be put together. */
export function tooLarge(bytes: number, maxBytes: number): DataError {
  return new DataError(
    'event-too-large',
    `the segments have ${bytes} bytes in all, at most ${maxBytes} are put together`,
  );
}

function decode(segments: readonly Segment[]): Assembly {
  try {
    if (segments.length > 1 && segments.some(({ encoding }) => encoding !== segments[0]?.encoding)) {
      throw new DataError('segment-conflict', 'the event mixes JSON and Avro segments');
    }
    return { state: 'whole', change: decodeEvent(segments) };
  } catch (error) {
    if (error instanceof DataError) return { state: 'broken', error };
    throw error;
  }
}

/** Whether a segment shows by itself that none comes before it, so that waiting for segment 0 would be in vain. */
function startsEvent(segment: Segment | undefined): boolean {
  if (segment === undefined) return false;
  const { payload, encoding } = segment;
  switch (payload.kind) {
    case 'object':
      return true;
    case 'text':
      return eventStart.test(payload.text);
    case 'bytes':
      return encoding === 'json' && eventStart.test(payload.bytes.toString('latin1', 0, START_BYTES));
    default:
      return payload satisfies never;
  }
}

/** Inside the text of an image the quotes would be escaped. */
const eventStart = /^\s*\{\s*"event(source|row)"\s*:/;
const START_BYTES = 200;
