import { DataError } from '../errors/dataError.ts';
import type { ReceivedSegment, Rejected } from './received.ts';

/** The first segment of a place stays; one that contradicts it is put aside. */
export function conflict(received: ReceivedSegment): Rejected {
  const message = `segment ${received.segment.index} differs from the one that came first`;
  return { segments: [received], parked: false, error: new DataError('segment-conflict', message) };
}
