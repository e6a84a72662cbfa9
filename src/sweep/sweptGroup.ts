import type { DeadLetter } from '../deadletter/deadLetter.ts';

/** How a sweep left one parked event; {@link SweepReport} says what the fates mean. */
export interface SweptGroup {
  readonly fate: SweptFate;
  readonly letters: readonly DeadLetter[];
}

export type SweptFate =
  | 'waiting'
  | 'applied'
  | 'superseded'
  | 'deadLettered'
  | 'released'
  | 'gone'
  /** A note without segments that was removed. */
  | 'forgotten'
  /** A note without segments that is kept for late copies. */
  | 'remembered';

export function swept(fate: SweptFate, letters: readonly DeadLetter[] = []): SweptGroup {
  return { fate, letters };
}
