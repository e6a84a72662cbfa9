import { MAX_EVENT_BYTES } from '../limits.ts';
import type { ListedSegment } from '../parking/parking.ts';

/** Whether the parked segments of an event are too large to be fetched all at once. */
export function isOversize(segments: readonly Pick<ListedSegment, 'bytes'>[]): boolean {
  return bytesOf(segments) > MAX_EVENT_BYTES;
}

/** Size of all their messages. */
export function bytesOf(segments: readonly Pick<ListedSegment, 'bytes'>[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
