import type { Telemetry } from './telemetry.ts';

export interface ParkedState {
  /** Events of which some segments wait. */
  readonly groups: number;
  /** Time the first of them has waited, in seconds; 0 when none waits. */
  readonly oldestSeconds: number;
}

/** Hands over what the parking container holds, as the sweep has found it. */
export function recordParked({ groups, oldestSeconds }: ParkedState, telemetry: Telemetry): void {
  telemetry.set('replica.parked_groups', groups, {});
  telemetry.set('replica.parked_oldest_age', oldestSeconds, {});
}
