import pMap from 'p-map';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { BLOB_CONCURRENCY } from '../limits.ts';
import type { Services } from '../services.ts';
import type { Rejected } from './received.ts';

/** Step 6: keeps what can never succeed as dead letters. */
export async function putAside(
  letters: readonly DeadLetter[],
  { deadLetters }: Services,
  signal: AbortSignal,
): Promise<void> {
  await pMap(letters, (letter) => deadLetters.put(letter, signal), { concurrency: BLOB_CONCURRENCY });
}

/** Every segment of a rejected event becomes a dead letter of its own, since each was a message of its own. */
export function lettersOf({ segments, error, change }: Rejected): readonly DeadLetter[] {
  return segments.map(({ message }) => ({
    message,
    error,
    ...(change !== undefined && { table: change.table, key: change.key }),
  }));
}
