/** What tracking needs of Cosmos DB. The adapter speaks the SDK; tests put faults in between. */
export interface ProgressStore {
  /**
   * Runs operations on distinct items. Never throws: whatever goes wrong becomes an outcome of the operations it
   * concerns.
   * @returns one outcome per operation, in the same order.
   */
  execute(operations: readonly ProgressOperation[], signal: AbortSignal): Promise<readonly ProgressOutcome[]>;
  /**
   * Transactions of a database that have not ended, by ascending commit.
   * @param most how many.
   * @throws OutageError when they cannot be read.
   */
  open(db: string, most: number, signal: AbortSignal): Promise<readonly FoundItem[]>;
  /**
   * Databases of open transactions, but for those that are known: of each transaction looked at one, in any order.
   * @param most transactions that are looked at.
   * @throws OutageError when they cannot be read.
   */
  databases(known: readonly string[], most: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Transactions of a database whose boundaries are still to be sent; as {@link open}.
   * @param after commit that they come after; undefined for the first.
   */
  unsent(
    db: string,
    most: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly FoundItem[]>;
  /** Transactions of a database that have ended, and rows do not tell their places yet; as {@link unsent}. */
  unnumbered(
    db: string,
    most: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly FoundItem[]>;
  /**
   * Transactions of all databases that carry progress of partitions, those that were written last first: by commit, those
   * of a database with low LSNs would be beyond the limit.
   * @returns of each only what it carries: `_ces.carried` of its item.
   * @throws OutageError when they cannot be read.
   */
  carrying(most: number, signal: AbortSignal): Promise<readonly unknown[]>;
}

export type ProgressOperation = ItemAddress &
  (
    | { readonly kind: 'read' }
    | { readonly kind: 'create'; readonly item: object }
    | { readonly kind: 'replace'; readonly item: object; readonly etag: string }
  );

export interface ItemAddress {
  readonly id: string;
  readonly pkkey: string;
}

export interface FoundItem {
  readonly stored: unknown;
  readonly etag: string;
}

export type ProgressOutcome =
  /** Done; a read gives the document. */
  | { readonly kind: 'ok'; readonly stored?: unknown; readonly etag?: string }
  /** 404 */
  | { readonly kind: 'missing' }
  /** 409 or 412: someone else has written the item. */
  | { readonly kind: 'outrun' }
  /** 429 */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** It may or may not have been done. */
  | { readonly kind: 'unknown'; readonly reason: string };
