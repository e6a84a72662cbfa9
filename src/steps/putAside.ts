import pMap from 'p-map';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { BLOB_CONCURRENCY } from '../limits.ts';
import type { KeyColumn } from '../model/change.ts';
import type { TableRules } from '../replica/tableRules.ts';
import type { Services } from '../services.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import { messagesOf, type Rejected } from './received.ts';

/** Step 6: keeps what can never succeed as dead letters. */
export async function putAside(
  letters: readonly DeadLetter[],
  { deadLetters }: Services,
  signal: AbortSignal,
): Promise<void> {
  await pMap(letters, (letter) => deadLetters.put(letter, signal), { concurrency: BLOB_CONCURRENCY });
}

/**
 * Every message of a rejected event becomes a dead letter of its own. Table and
 * columns have the source's names; values of the key that REPLICA_CONFIG masks or excludes are not in the clear.
 */
export function lettersOf(
  { error, change, ...event }: Rejected,
  rules: ReplicaSettings['rules'],
): readonly DeadLetter[] {
  const told =
    change === undefined ? {} : { table: change.table, key: shownKey(change.key, rules.of(change.table)) };
  return messagesOf(event).map((message) => ({ message, error, ...told }));
}

function shownKey(key: readonly KeyColumn[], { columnRule }: TableRules): readonly KeyColumn[] {
  return key.flatMap(({ column, value }) => {
    const { presence, mask } = columnRule(column, undefined);
    return presence === 'excluded' ? [] : [{ column, value: mask?.(value) ?? value }];
  });
}
