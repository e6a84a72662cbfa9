import { DataError } from '../errors/dataError.ts';
import type { ChangeHead } from '../model/changeHead.ts';
import { isSuperseded } from '../replica/isSuperseded.ts';
import { fromReplicaItem } from '../replica/replicaItem.ts';
import { RowLayout } from '../replica/rowLayout.ts';
import type { Services } from '../services.ts';

/**
 * Whether the replica shows that an incomplete event has nothing new for it. False when it does not show it,
 * undefined when Cosmos DB did not answer.
 */
export async function addsNothing(
  head: ChangeHead,
  services: Services,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    return await asReplicaShows(head, services, signal);
  } catch (error) {
    if (error instanceof DataError) return false;
    throw error;
  }
}

async function asReplicaShows(
  head: ChangeHead,
  { store, settings }: Services,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const rules = settings.rules.of(head.table);
  if (!rules.included || (head.operation === 'DEL' && rules.deletes === 'ignore')) return true;
  // The beginning of an event does not tell the values of a key that REPLICA_CONFIG names.
  if (rules.key !== undefined) return false;
  const { container } = rules;
  const id = RowLayout.of(rules, head.columns).idOf(head.key);
  const [outcome] = await store.execute([{ kind: 'read', id, container }], signal);
  switch (outcome?.kind) {
    case 'ok':
      return isSuperseded(head, fromReplicaItem(outcome.stored), rules);
    case 'missing':
    case 'refused':
      return false;
    case undefined:
    case 'outrun':
    case 'deferred':
    case 'throttled':
    case 'unknown':
      return undefined;
    default:
      return outcome satisfies never;
  }
}
