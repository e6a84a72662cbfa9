import { DataError } from '../errors/dataError.ts';
import type { ChangeHead } from '../model/changeHead.ts';
import { documentId } from '../replica/documentId.ts';
import { isSuperseded } from '../replica/isSuperseded.ts';
import { fromReplicaItem } from '../replica/replicaItem.ts';
import type { Services } from '../services.ts';
import { updatesOf } from '../settings/replicaSettings.ts';

/**
 * Whether the replica shows that an incomplete event has nothing new for it. False when it does not show it,
 * undefined when Cosmos DB did not answer.
 */
export async function addsNothing(
  head: ChangeHead,
  { store, settings }: Services,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const id = documentId(
    head.table,
    head.key.map(({ value }) => value),
  );
  const [outcome] = await store.execute([{ kind: 'read', id }], signal);
  switch (outcome?.kind) {
    case 'ok':
      return isSupersededBy(outcome.stored);
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

  function isSupersededBy(stored: unknown): boolean {
    try {
      const options = { epoch: settings.epoch, updates: updatesOf(settings, head.table) };
      return isSuperseded(head, fromReplicaItem(stored), options);
    } catch (error) {
      if (error instanceof DataError) return false;
      throw error;
    }
  }
}
