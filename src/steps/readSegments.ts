import { readMessage } from '../ces/readMessage.ts';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { DataError } from '../errors/dataError.ts';
import type { Message } from '../model/message.ts';
import type { ReceivedSegment } from './received.ts';

/** Step 1: reads every message; one that is not a CES message does not hold up the others. */
export function readSegments(messages: readonly Message[]): {
  readonly segments: readonly ReceivedSegment[];
  readonly unreadable: readonly DeadLetter[];
} {
  const segments: ReceivedSegment[] = [];
  const unreadable: DeadLetter[] = [];
  for (const message of messages) {
    try {
      segments.push({ segment: readMessage(message.body), message });
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      unreadable.push({ message, error });
    }
  }
  return { segments, unreadable };
}
