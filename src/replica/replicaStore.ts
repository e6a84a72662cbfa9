import type { BulkAnswer } from '../cosmos/bulkAnswer.ts';
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

export type StoreOutcome = BulkAnswer;
