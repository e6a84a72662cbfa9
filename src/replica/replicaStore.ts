import type { DocumentId } from './documentId.ts';
import type { ReplicaItem } from './replicaItem.ts';

/** What the apply loop needs of Cosmos DB. The adapter speaks the SDK; tests put faults in between. */
export interface ReplicaStore {
  /**
   * Runs operations on distinct ids of one container. Never throws: whatever goes wrong becomes an outcome of the operations
   * it concerns.
   * @returns one outcome per operation, in the same order.
   */
  execute(operations: readonly StoreOperation[], signal: AbortSignal): Promise<readonly StoreOutcome[]>;
}

export type StoreOperation = Address &
  (
    | { readonly kind: 'create'; readonly item: ReplicaItem }
    | { readonly kind: 'read' }
    | { readonly kind: 'replace'; readonly item: ReplicaItem; readonly etag: string }
  );

interface Address {
  readonly id: DocumentId;
  /** The same for all operations that are executed together; undefined: the default container. */
  readonly container?: string | undefined;
}

/** `charge`: the request units it cost, where Cosmos DB told. */
export type StoreOutcome = OutcomeKind & { readonly charge?: number };

type OutcomeKind =
  /** Done; a read gives the stored document and its etag. */
  | { readonly kind: 'ok'; readonly stored?: unknown; readonly etag?: string }
  /** 413 for a read: the answers to the reads before it were as much as one response holds. */
  | { readonly kind: 'deferred' }
  /** 404: nothing is stored under the id. */
  | { readonly kind: 'missing' }
  /** 409 or 412: someone else has written the item. */
  | { readonly kind: 'outrun' }
  /** 429. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** It may or may not have been done: time-out, connection lost, 408, 449, 5xx. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** It never will be done as it is: 400, 413. */
  | { readonly kind: 'refused'; readonly reason: string };
