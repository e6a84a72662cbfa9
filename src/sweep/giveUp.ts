import { describeMissing } from '../ces/describeMissing.ts';
import { readChangeHead } from '../ces/readChangeHead.ts';
import type { Deadline } from '../deadline.ts';
import { assert } from '../errors/bug.ts';
import { DataError } from '../errors/dataError.ts';
import type { ChangeHead } from '../model/changeHead.ts';
import type { LogicalId } from '../model/logicalId.ts';
import { finishEvents } from '../pipeline.ts';
import type { Services } from '../services.ts';
import type { ReceivedSegment } from '../steps/received.ts';
import { recordTransactions } from '../steps/recordTransactions.ts';
import { addsNothing } from './addsNothing.ts';
import { arrivedParked } from './arrivedParked.ts';
import { type SweptGroup, swept } from './sweptGroup.ts';

/**
 * Ends the wait for segments that do not come: what is there becomes dead letters. Copies of an event that was
 * applied from other batches are left over the same way, since an event that comes whole in one batch is not
 * looked for here; where the replica shows that, they are just removed.
 * @param segments all that is parked of one event, at least one.
 */
export async function giveUp(
  segments: readonly ReceivedSegment[],
  services: Services,
  deadline: Deadline,
): Promise<SweptGroup> {
  const { signal } = deadline;
  const known = segments.map(({ segment }) => segment);
  const event = known[0]?.logicalId;
  assert(event !== undefined, 'a group has at least one segment');
  const head = readChangeHead(known);
  const superseded = head === undefined ? false : await addsNothing(head, services, signal);
  if (superseded === undefined) return swept('waiting');
  if (await hasChanged(event, segments, services, signal)) return swept('waiting');
  if (superseded) {
    if (services.tracking !== undefined && head !== undefined) {
      const event = { segments, change: head };
      const { tracking, settings } = services;
      await recordTransactions([event], [], tracking, settings, deadline, arrivedParked(segments));
    }
    await release(event, segments, services, signal);
    return swept('superseded');
  }
  const error = new DataError('segments-missing', describeMissing(known));
  const rejected = { segments, parked: true, error, ...(head !== undefined && { change: changeOf(head) }) };
  const finished = await finishEvents(
    { events: [], rejected: [rejected], unreadable: [] },
    services,
    deadline,
    { arrived: arrivedParked(segments) },
  );
  return swept('deadLettered', finished.letters);
}

function changeOf({ table, key }: ChangeHead): Pick<ChangeHead, 'table' | 'key'> {
  return { table, key };
}

/** Whether something has come or gone since the listing: then someone may be just bringing the event to its end. */
async function hasChanged(
  event: LogicalId,
  segments: readonly ReceivedSegment[],
  { parking }: Services,
  signal: AbortSignal,
): Promise<boolean> {
  const now = await parking.list(event, signal);
  const known = new Set(segments.map(({ segment }) => segment.index));
  return (
    now.released || now.segments.length !== known.size || now.segments.some(({ index }) => !known.has(index))
  );
}

/** Noted before it is removed, as for an event that was applied from here. */
async function release(
  event: LogicalId,
  segments: readonly ReceivedSegment[],
  { parking, recentEvents }: Services,
  signal: AbortSignal,
): Promise<void> {
  await parking.markReleased(event, signal);
  await parking.remove(
    event,
    segments.map(({ segment }) => segment.index),
    signal,
  );
  recentEvents.add(event);
}
