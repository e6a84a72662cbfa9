import pMap from 'p-map';
import { assembleEvent } from '../ces/assembleEvent.ts';
import { completenessOf } from '../ces/completeness.ts';
import { readMessage } from '../ces/readMessage.ts';
import { OutageError } from '../errors/outageError.ts';
import { PARKED_LOOKUPS, PARKED_SEGMENT_CONCURRENCY } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import { sameContent } from '../model/segment.ts';
import type { ParkedGroup, Parking } from '../parking/parking.ts';
import type { Services } from '../services.ts';
import type { Assembled } from './assembled.ts';
import { conflict } from './conflict.ts';
import { fetchParked } from './fetchParked.ts';
import { isOversize } from './isOversize.ts';
import { messagesOf, type ReceivedSegment, type Rejected } from './received.ts';

/**
 * Parks the segments of one event and looks whether the event is whole now. Parking comes before looking: of
 * two instances that finish at the same time, at least one sees everything; when both do, both apply the event
 * and the join makes that harmless.
 * @param received segments of one event, at least one, each index once.
 */
export async function completeFromParking(
  received: readonly ReceivedSegment[],
  { parking, recentEvents }: Services,
  signal: AbortSignal,
): Promise<Partial<Assembled>> {
  const event = received[0]?.segment.logicalId;
  if (event === undefined || recentEvents.has(event))
    return { superseded: messagesOf({ segments: received }) };
  const rejected = await park(received, parking, signal);
  const parked = received.filter((segment) => !rejected.some(({ segments }) => segments.includes(segment)));
  const rest = parked.length === 0 ? {} : await pickUp(event, parked, parking, signal);
  return { ...rest, rejected: [...rejected, ...(rest.rejected ?? [])] };
}

/** @returns the segments that contradict what is parked in their place. */
async function park(
  received: readonly ReceivedSegment[],
  parking: Parking,
  signal: AbortSignal,
): Promise<readonly Rejected[]> {
  const conflicts = await pMap(received, (arrived) => parkOne(arrived, parking, signal), {
    concurrency: PARKED_SEGMENT_CONCURRENCY,
  });
  return conflicts.flat();
}

async function parkOne(
  arrived: ReceivedSegment,
  parking: Parking,
  signal: AbortSignal,
): Promise<readonly Rejected[]> {
  const { segment, message } = arrived;
  for (let attempt = 0; attempt < PARKED_LOOKUPS; attempt += 1) {
    if (await parking.park(segment, message, signal)) return [];
    const first = await parking.fetch(segment.logicalId, segment.index, signal);
    if (first !== undefined) return sameContent(readMessage(first.body), segment) ? [] : [conflict(arrived)];
    // Removed meanwhile, or refused for another reason than a segment in its place: only what is there is durable.
  }
  throw new OutageError(
    'Blob storage: a segment was not accepted, and none is in its place; the batch comes again',
  );
}

async function pickUp(
  event: LogicalId,
  received: readonly ReceivedSegment[],
  parking: Parking,
  signal: AbortSignal,
): Promise<Partial<Assembled>> {
  const messages = messagesOf({ segments: received });
  for (let lookup = 0; lookup < PARKED_LOOKUPS; lookup += 1) {
    const group = await parking.list(event, signal);
    if (group.released) {
      await parking.remove(event, indexesOf(group), signal);
      return { superseded: messages };
    }
    // A list may lag behind; what was just parked is certain.
    const toFetch = group.segments.filter(
      ({ index }) => !received.some(({ segment }) => segment.index === index),
    );
    // Too large to be held in memory: the sweep puts it aside, piece by piece.
    if (isOversize(group.segments)) break;
    if (completenessOf([...toFetch, ...received.map(({ segment }) => segment)]) === 'incomplete') break;
    const fetched = await fetchParked(event, toFetch, parking, signal);
    // Gone between listing and fetching: another instance is finishing the event.
    if (fetched === undefined) continue;
    const segments = [
      ...received,
      ...fetched.map((message) => ({ segment: readMessage(message.body), message })),
    ];
    const assembly = assembleEvent(segments.map(({ segment }) => segment));
    if (assembly.state === 'whole') return { events: [{ change: assembly.change, segments, parked: true }] };
    if (assembly.state === 'broken') return { rejected: [{ error: assembly.error, segments, parked: true }] };
    break;
  }
  return { parked: messages };
}

function indexesOf(group: ParkedGroup): readonly number[] {
  return group.segments.map(({ index }) => index);
}
