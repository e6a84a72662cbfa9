/**
 * What a sweep found and did: counts of events, no values.
 * `waiting + applied + superseded + deadLettered + released + gone = groups`.
 */
export interface SweepReport {
  /** Events with parked segments. */
  readonly groups: number;
  /** Age of the oldest parked segment, in seconds; 0 when nothing is parked. */
  readonly oldestSeconds: number;
  /** Left alone: their other segments may still come. */
  readonly waiting: number;
  /** Complete, and applied now. */
  readonly applied: number;
  /** Complete or not, and nothing newer in them than what the replica has. */
  readonly superseded: number;
  readonly deadLettered: number;
  /** Applied before; segments that lay there still were removed. */
  readonly released: number;
  /** Someone else brought them to an end meanwhile. */
  readonly gone: number;
  /** Notes of applied events that no late copy can need any more, removed. */
  readonly forgotten: number;
  /** Dead letters: one per segment. */
  readonly letters: number;
  /** False when the time was over before everything was seen; the counts are of what was. */
  readonly finished: boolean;
}
