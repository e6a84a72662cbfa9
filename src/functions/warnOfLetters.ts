import type { InvocationContext } from '@azure/functions';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { LOGGED_DEAD_LETTERS } from '../limits.ts';

/** Logs a line for each dead letter, up to a limit: reason and place, no values. */
export function warnOfLetters(letters: readonly DeadLetter[], context: InvocationContext): void {
  for (const { message, error } of letters.slice(0, LOGGED_DEAD_LETTERS)) {
    const { partition, sequenceNumber } = message.source;
    context.warn(
      `dead letter ${JSON.stringify({ reason: error.code, message: error.message, partition, sequenceNumber })}`,
    );
  }
}
