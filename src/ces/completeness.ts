import type { Segment } from '../model/segment.ts';

/**
 * incomplete: segments are missing.
 * whole: all segments from 0 to the final one are there.
 * whole-if-decodable: all from 1 to the final one are there. Builds number from 0 or from 1, and nothing says
 * which: the event is whole if its data decodes, else segment 0 is still to come.
 * contradictory: two ends, or a segment behind the end.
 */
export type Completeness = 'incomplete' | 'whole' | 'whole-if-decodable' | 'contradictory';

/** `segments` are those known of one event, in any order, each index once. */
export function completenessOf(segments: readonly Pick<Segment, 'index' | 'final'>[]): Completeness {
  let end = -1;
  let last = -1;
  let startsAtZero = false;
  for (const { index, final } of segments) {
    if (final && end >= 0) return 'contradictory';
    if (final) end = index;
    if (index > last) last = index;
    if (index === 0) startsAtZero = true;
  }
  if (end < 0) return 'incomplete';
  if (last > end) return 'contradictory';
  // Indexes are distinct and none is above the end, so their number alone tells whether all are there.
  if (segments.length === end + 1) return 'whole';
  return segments.length === end && !startsAtZero ? 'whole-if-decodable' : 'incomplete';
}
