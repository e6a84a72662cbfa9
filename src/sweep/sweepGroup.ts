import { assembleEvent } from '../ces/assembleEvent.ts';
import { completenessOf } from '../ces/completeness.ts';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import type { Deadline } from '../deadline.ts';
import type { FoundGroup } from '../parking/parking.ts';
import { type FinishedEvents, finishEvents } from '../pipeline.ts';
import type { Services } from '../services.ts';
import { fetchParked } from '../steps/fetchParked.ts';
import { isOversize } from '../steps/isOversize.ts';
import { putAside } from '../steps/putAside.ts';
import { readSegments } from '../steps/readSegments.ts';
import { arrivedParked } from './arrivedParked.ts';
import { giveUp } from './giveUp.ts';
import { putOversizeAside } from './putOversizeAside.ts';
import { type SweptGroup, swept } from './sweptGroup.ts';

/** Brings one parked event to its end, if it has come to one. */
export async function sweepGroup(
  group: FoundGroup,
  services: Services,
  deadline: Deadline,
  now: Date,
): Promise<SweptGroup> {
  const { settings } = services;
  if (group.releasedAt !== undefined) {
    const keptSeconds = secondsSince(group.releasedAt, now);
    return sweepReleased(group, keptSeconds > settings.tombstoneSeconds, services, deadline.signal);
  }
  if (isOversize(group.segments)) return putOversizeAside(group, services, deadline);
  const overdue = group.segments.every(
    ({ parkedAt }) => secondsSince(parkedAt, now) >= settings.parkedSeconds,
  );
  // Most groups wait, which the listing tells without fetching anything.
  if (!overdue && completenessOf(group.segments) === 'incomplete') return swept('waiting');
  return sweepSegments(group, overdue, services, deadline);
}

function secondsSince(moment: Date, now: Date): number {
  return (now.getTime() - moment.getTime()) / 1000;
}

/** @param old whether no late copy can come any more, so that the note is of no use. */
async function sweepReleased(
  { event, segments }: FoundGroup,
  old: boolean,
  { parking }: Services,
  signal: AbortSignal,
): Promise<SweptGroup> {
  if (segments.length > 0) {
    await parking.remove(event, indexesOf(segments), signal);
    return swept('released');
  }
  if (!old) return swept('remembered');
  await parking.forgetReleased(event, signal);
  return swept('forgotten');
}

async function sweepSegments(
  group: FoundGroup,
  overdue: boolean,
  services: Services,
  deadline: Deadline,
): Promise<SweptGroup> {
  const { parking } = services;
  const messages = await fetchParked(group.event, group.segments, parking, deadline.signal);
  if (messages === undefined) return swept('gone');
  const { segments, unreadable } = readSegments(messages);
  if (unreadable.length > 0) {
    // Someone else has written there. It must not hold up the other events; what is left of this one waits.
    const wrong = group.segments.filter((_, position) => isAmong(unreadable, messages[position]));
    await putAside(unreadable, services, deadline.signal);
    await parking.remove(group.event, indexesOf(wrong), deadline.signal);
    return swept('deadLettered', unreadable);
  }
  const arrived = arrivedParked(segments);
  const assembly = assembleEvent(segments.map(({ segment }) => segment));
  switch (assembly.state) {
    case 'whole': {
      const events = [{ change: assembly.change, segments, parked: true }];
      const assembled = { events, rejected: [], unreadable };
      return sweptBy(await finishEvents(assembled, services, deadline, { arrived }));
    }
    case 'broken': {
      const rejected = [{ error: assembly.error, segments, parked: true }];
      const assembled = { events: [], rejected, unreadable };
      return sweptBy(await finishEvents(assembled, services, deadline, { arrived }));
    }
    case 'incomplete':
      return overdue ? giveUp(segments, services, deadline) : swept('waiting');
    default:
      return assembly satisfies never;
  }
}

function sweptBy({ settled, letters }: FinishedEvents): SweptGroup {
  if (letters.length > 0) return swept('deadLettered', letters);
  return swept(settled.applied.length > 0 ? 'applied' : 'superseded');
}

function isAmong(letters: readonly DeadLetter[], message: DeadLetter['message'] | undefined): boolean {
  return letters.some((letter) => letter.message === message);
}

function indexesOf(segments: FoundGroup['segments']): readonly number[] {
  return segments.map(({ index }) => index);
}
