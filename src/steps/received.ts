import type { DataError } from '../errors/dataError.ts';
import type { Change } from '../model/change.ts';
import type { Message } from '../model/message.ts';
import type { Segment } from '../model/segment.ts';

/** A segment together with the message it came in. */
export interface ReceivedSegment {
  readonly segment: Segment;
  readonly message: Message;
}

/** An event that is here as a whole. */
export interface WholeEvent {
  readonly change: Change;
  /** Of CES at least one, of Debezium none. */
  readonly segments: readonly ReceivedSegment[];
  /** The message of an event that has no segments. */
  readonly message?: Message;
  /** Whether the segments lie in the parking container, and are to be removed once the event is durable. */
  readonly parked: boolean;
}

/** Segments that can never become a change in the replica, and why. */
export interface Rejected extends Omit<WholeEvent, 'change'> {
  readonly error: DataError;
  /** Where decoding got that far. */
  readonly change?: Pick<Change, 'table' | 'key'> & Partial<Pick<Change, 'position' | 'time'>>;
}

export function messagesOf({
  message,
  segments,
}: Pick<WholeEvent, 'segments' | 'message'>): readonly Message[] {
  return message === undefined ? segments.map((segment) => segment.message) : [message];
}
