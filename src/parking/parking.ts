import type { LogicalId } from '../model/logicalId.ts';
import type { Message } from '../model/message.ts';
import type { Segment } from '../model/segment.ts';

/** Where segments wait for the other segments of their event, shared by all instances of the app. */
export interface Parking {
  /**
   * Stores a segment durably as the message it came in. The first write of a place wins.
   * @returns false when the place is taken already, with the same content or not.
   */
  park(segment: Segment, message: Message, signal: AbortSignal): Promise<boolean>;
  list(event: LogicalId, signal: AbortSignal): Promise<ParkedGroup>;
  /** Undefined when it is not there, or not any more. */
  fetch(event: LogicalId, index: number, signal: AbortSignal): Promise<Message | undefined>;
  /** Notes that an event was applied, so that late copies of its segments are known for what they are. */
  markReleased(event: LogicalId, signal: AbortSignal): Promise<void>;
  /** Removes segments; those that are gone already do not matter. */
  remove(event: LogicalId, indexes: readonly number[], signal: AbortSignal): Promise<void>;
  /** Removes the note of an applied event; nothing happens where there is none. */
  forgetReleased(event: LogicalId, signal: AbortSignal): Promise<void>;
  /** All there is, event by event, however much: only a page of it is held at a time. */
  groups(signal: AbortSignal): AsyncIterable<FoundGroup>;
}

/** What lies in the parking of one event, with when it was put there. */
export interface FoundGroup {
  readonly event: LogicalId;
  readonly segments: readonly FoundSegment[];
  /** When it was noted last that the event was applied; undefined without such a note. */
  readonly releasedAt: Date | undefined;
}

export interface FoundSegment extends ListedSegment {
  readonly parkedAt: Date;
}

export interface ListedSegment extends Pick<Segment, 'index' | 'final'> {
  /** Size of its message. */
  readonly bytes: number;
}

/** The parked segments of one event. */
export interface ParkedGroup {
  readonly segments: readonly ListedSegment[];
  /** The event was applied before. */
  readonly released: boolean;
}
