import pMap from 'p-map';
import { assembleEvent } from '../ces/assembleEvent.ts';
import { PARKED_EVENT_CONCURRENCY } from '../limits.ts';
import type { Services } from '../services.ts';
import type { Assembled } from './assembled.ts';
import { completeFromParking } from './completeFromParking.ts';
import { distinctSegments } from './distinctSegments.ts';
import { messagesOf, type ReceivedSegment } from './received.ts';

/**
 * Step 2: puts segments together and decodes the events that are whole. First within the batch, without any
 * Blob call; what stays incomplete is parked, and picked up again with what was parked before.
 * @param park false when nothing may be parked, since whoever completes an event would create its row: what
 * stays incomplete is withheld.
 */
export async function assembleEvents(
  segments: readonly ReceivedSegment[],
  services: Services,
  signal: AbortSignal,
  park = true,
): Promise<Assembled> {
  const alone = segments.map(assembleAlone);
  const split = segments.filter((_, index) => alone[index] === undefined);
  const groups = [...Map.groupBy(split, ({ segment }) => segment.logicalId.text).values()].map(assembleGroup);
  const completed = await pMap(
    groups.flatMap(({ incomplete }) => (incomplete.length > 0 ? [incomplete] : [])),
    async (incomplete) =>
      park
        ? completeFromParking(incomplete, services, signal)
        : { withheld: messagesOf({ segments: incomplete }) },
    { concurrency: PARKED_EVENT_CONCURRENCY },
  );
  return concat([...alone.filter((part) => part !== undefined), ...groups, ...completed]);
}

/** An event that was not split; undefined when the segment needs others. */
function assembleAlone(received: ReceivedSegment): Partial<Assembled> | undefined {
  if (!received.segment.final) return undefined;
  const event = { segments: [received], parked: false };
  const assembly = assembleEvent([received.segment]);
  switch (assembly.state) {
    case 'whole':
      return { events: [{ ...event, change: assembly.change }] };
    case 'broken':
      return { rejected: [{ ...event, error: assembly.error }] };
    case 'incomplete':
      return undefined;
    default:
      return assembly satisfies never;
  }
}

interface Group extends Partial<Assembled> {
  /** Each index once; empty when the event is whole or broken. */
  readonly incomplete: readonly ReceivedSegment[];
}

function assembleGroup(group: readonly ReceivedSegment[]): Group {
  const { segments, copies, conflicts } = distinctSegments(group);
  const known = { superseded: copies, rejected: conflicts };
  const assembly = assembleEvent(segments.map(({ segment }) => segment));
  switch (assembly.state) {
    case 'incomplete':
      return { ...known, incomplete: segments };
    case 'whole':
      return { ...known, incomplete: [], events: [{ change: assembly.change, segments, parked: false }] };
    case 'broken':
      return {
        ...known,
        incomplete: [],
        rejected: [...conflicts, { error: assembly.error, segments, parked: false }],
      };
    default:
      return assembly satisfies never;
  }
}

function concat(parts: readonly Partial<Assembled>[]): Assembled {
  return {
    events: parts.flatMap(({ events = [] }) => events),
    rejected: parts.flatMap(({ rejected = [] }) => rejected),
    parked: parts.flatMap(({ parked = [] }) => parked),
    superseded: parts.flatMap(({ superseded = [] }) => superseded),
    withheld: parts.flatMap(({ withheld = [] }) => withheld),
  };
}
