import type { Telemetry } from './telemetry.ts';

/** @param now in milliseconds. */
export function recordBoundaries(
  { waitingSince }: { readonly waitingSince: ReadonlyMap<string, number | undefined> },
  now: number,
  telemetry: Telemetry,
): void {
  for (const [database, since = now] of waitingSince)
    telemetry.set('replica.boundaries_lag', Math.max(0, now - since) / 1000, { database });
}
