import type { ReceivedSegment } from '../steps/received.ts';
import type { Arrived } from '../steps/recordTransactions.ts';
import { ELSEWHERE } from '../transactions/partitionProgress.ts';

/**
 * What parked segments tell of the hub: whose their stream is, and not how far their partitions have come. A batch that
 * failed can have parked them, and what came before them there is not handled then.
 */
export function arrivedParked(segments: readonly ReceivedSegment[]): Arrived {
  return { read: { segments, events: [] }, place: ELSEWHERE };
}
