import pMap from 'p-map';
import { PARKED_SEGMENT_CONCURRENCY } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import type { Message } from '../model/message.ts';
import type { ListedSegment, Parking } from '../parking/parking.ts';

/** Fetches parked segments of one event; undefined when one of them is not there any more. */
export async function fetchParked(
  event: LogicalId,
  segments: readonly Pick<ListedSegment, 'index'>[],
  parking: Parking,
  signal: AbortSignal,
): Promise<readonly Message[] | undefined> {
  const fetched = await pMap(segments, ({ index }) => parking.fetch(event, index, signal), {
    concurrency: PARKED_SEGMENT_CONCURRENCY,
  });
  const present = fetched.filter((message) => message !== undefined);
  return present.length < segments.length ? undefined : present;
}
