import type { Telemetry } from './telemetry.ts';

export interface ParkedState {
  /** Events of which some segments wait. */
  readonly groups: number;
  /** When the first of them was parked; undefined when none waits. */
  readonly oldest: Date | undefined;
}

/** Hands over what the parking container holds; the sweep knows. @param now in milliseconds. */
export function recordParked({ groups, oldest }: ParkedState, telemetry: Telemetry, now = Date.now()): void {
  const age = oldest === undefined ? 0 : Math.max(0, now - oldest.getTime()) / 1000;
  telemetry.set('replica.parked_groups', groups, {});
  telemetry.set('replica.parked_oldest_age', age, {});
}
