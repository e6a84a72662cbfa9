import type { DocumentId } from '../replica/documentId.ts';
import type { ReplicaStore } from '../replica/replicaStore.ts';

/** What is stored under an id. */
export type FoundItem = 'missing' | { readonly stored: unknown };

/**
 * Reads items of one container, as many as one bulk request may hold. Those that Cosmos DB does not tell of, since it
 * is busy or does not answer, are left out: a sweep comes again.
 */
export async function readItems(
  ids: readonly DocumentId[],
  container: string | undefined,
  store: ReplicaStore,
  signal: AbortSignal,
): Promise<ReadonlyMap<DocumentId, FoundItem>> {
  const found = new Map<DocumentId, FoundItem>();
  let left = ids;
  while (left.length > 0) {
    const outcomes = await store.execute(
      left.map((id) => ({ kind: 'read', id, container })),
      signal,
    );
    const deferred: DocumentId[] = [];
    for (const [index, id] of left.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kind === 'ok') found.set(id, { stored: outcome.stored });
      else if (outcome?.kind === 'missing') found.set(id, 'missing');
      else if (outcome?.kind === 'deferred') deferred.push(id);
    }
    // A response holds a few megabytes; what did not fit into it is asked for again as long as that leads on.
    left = deferred.length < left.length ? deferred : [];
  }
  return found;
}
