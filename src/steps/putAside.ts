import pMap from 'p-map';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { BLOB_CONCURRENCY } from '../limits.ts';
import type { Services } from '../services.ts';
import { messagesOf, type Rejected } from './received.ts';

/** Step 6: keeps what can never succeed as dead letters. */
export async function putAside(
  letters: readonly DeadLetter[],
  { deadLetters }: Services,
  signal: AbortSignal,
): Promise<void> {
  await pMap(letters, (letter) => deadLetters.put(letter, signal), { concurrency: BLOB_CONCURRENCY });
}

/** Every message of a rejected event becomes a dead letter of its own. */
export function lettersOf({ error, change, ...event }: Rejected): readonly DeadLetter[] {
  return messagesOf(event).map((message) => ({
    message,
    error,
    ...(change !== undefined && { table: change.table, key: change.key }),
  }));
}
