import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { nameOf } from '../steps/tableReports.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/**
 * Counts the dead letters of one parked event. Right when they are kept, not at the end of the sweep: should it
 * fail later, the event is not there any more for the next one.
 */
export function recordLetters(letters: readonly DeadLetter[], telemetry: Telemetry): void {
  for (const { table, error } of letters)
    telemetry.add('replica.dead_lettered', 1, { table: nameOf(table), reason: error.code });
}
