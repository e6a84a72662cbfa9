import type { Message } from '../model/message.ts';
import { sameContent } from '../model/segment.ts';
import { conflict } from './conflict.ts';
import type { ReceivedSegment, Rejected } from './received.ts';

/** De-duplicates on the index: every segment of an event has an `id` of its own, and a copy may have another. */
export function distinctSegments(group: readonly ReceivedSegment[]): {
  readonly segments: readonly ReceivedSegment[];
  readonly copies: readonly Message[];
  readonly conflicts: readonly Rejected[];
} {
  const first = new Map<number, ReceivedSegment>();
  const copies: Message[] = [];
  const conflicts: Rejected[] = [];
  for (const received of group) {
    const known = first.get(received.segment.index);
    if (known === undefined) first.set(received.segment.index, received);
    else if (sameContent(known.segment, received.segment)) copies.push(received.message);
    else conflicts.push(conflict(received));
  }
  return { segments: [...first.values()], copies, conflicts };
}
