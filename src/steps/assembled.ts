import type { Message } from '../model/message.ts';
import type { Rejected, WholeEvent } from './received.ts';

/** What became of the segments of a batch. */
export interface Assembled {
  readonly events: readonly WholeEvent[];
  readonly rejected: readonly Rejected[];
  /** Messages that wait in the parking container now. */
  readonly parked: readonly Message[];
  /** Copies of segments that are here already, or of events that were applied before. */
  readonly superseded: readonly Message[];
  /** Segments of incomplete events that may not be parked. */
  readonly withheld: readonly Message[];
}
