import pMap from 'p-map';
import { PARKED_EVENT_CONCURRENCY } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import type { Services } from '../services.ts';
import type { ReceivedSegment, Rejected, WholeEvent } from './received.ts';

/**
 * Step 7: clears the parking container of events that are durable elsewhere now. Never earlier: a crash before
 * this leaves segments that make the same event again.
 */
export async function releaseParked(
  done: readonly WholeEvent[],
  rejected: readonly Rejected[],
  { parking, recentEvents }: Services,
  signal: AbortSignal,
): Promise<void> {
  const remove = async (event: LogicalId, segments: readonly ReceivedSegment[]): Promise<void> => {
    const indexes = segments.map(({ segment }) => segment.index);
    await parking.remove(event, indexes, signal);
  };
  const concurrency = PARKED_EVENT_CONCURRENCY;
  const inParking = done.filter(({ parked }) => parked);
  await pMap(
    inParking,
    async ({ segments }) => {
      const event = segments[0]?.segment.logicalId;
      if (event === undefined) return;
      // Noted before it is removed: a copy of a segment that arrives from now on finds the note.
      await parking.markReleased(event, signal);
      await remove(event, segments);
    },
    { concurrency },
  );
  await pMap(
    rejected.filter(({ parked }) => parked),
    async ({ segments }) => {
      const event = segments[0]?.segment.logicalId;
      if (event !== undefined) await remove(event, segments);
    },
    { concurrency },
  );
  for (const { segments } of done) {
    const [first, second] = segments;
    if (first !== undefined && second !== undefined) recentEvents.add(first.segment.logicalId);
  }
}
