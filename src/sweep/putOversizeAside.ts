import { tooLarge } from '../ces/assembleEvent.ts';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import type { Deadline } from '../deadline.ts';
import type { DataError } from '../errors/dataError.ts';
import { MAX_EVENT_BYTES, OVERSIZE_SEGMENTS_AT_ONCE } from '../limits.ts';
import type { Message } from '../model/message.ts';
import type { FoundGroup } from '../parking/parking.ts';
import type { Services } from '../services.ts';
import { fetchParked } from '../steps/fetchParked.ts';
import { bytesOf } from '../steps/isOversize.ts';
import { putAside } from '../steps/putAside.ts';
import { readSegments } from '../steps/readSegments.ts';
import { recordTransactions } from '../steps/recordTransactions.ts';
import { arrivedParked } from './arrivedParked.ts';
import { type SweptGroup, swept } from './sweptGroup.ts';

/** Makes dead letters of an event that is too large to be put together, a few segments at a time. */
export async function putOversizeAside(
  { event, segments }: FoundGroup,
  services: Services,
  deadline: Deadline,
): Promise<SweptGroup> {
  const { signal } = deadline;
  const error = tooLarge(bytesOf(segments), MAX_EVENT_BYTES);
  const letters: DeadLetter[] = [];
  for (let start = 0; start < segments.length; start += OVERSIZE_SEGMENTS_AT_ONCE) {
    const some = segments.slice(start, start + OVERSIZE_SEGMENTS_AT_ONCE);
    const messages = await fetchParked(event, some, services.parking, signal);
    // Another sweep is at it.
    if (messages === undefined) return swept('gone', letters);
    await putAside(
      messages.map((message) => ({ message, error })),
      services,
      signal,
    );
    await record(messages, error, services, deadline);
    const indexes = some.map(({ index }) => index);
    await services.parking.remove(event, indexes, signal);
    // For the log and the count, which need no bodies; all of them would be as much as cannot be held.
    letters.push(...messages.map(({ source }) => ({ message: { source, body: NOTHING }, error })));
  }
  return swept('deadLettered', letters);
}

/** Before its segments are removed: what is not parked any more is recorded. */
async function record(
  messages: readonly Message[],
  error: DataError,
  { tracking, settings }: Services,
  deadline: Deadline,
): Promise<void> {
  const segments = readSegments(messages.slice(0, 1)).segments;
  if (tracking === undefined || segments.length === 0) return;
  const rejected = { error, segments, parked: true };
  await recordTransactions([], [rejected], tracking, settings, deadline, arrivedParked(segments));
}

const NOTHING = Buffer.alloc(0);
