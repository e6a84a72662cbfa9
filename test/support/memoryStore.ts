import assert from 'node:assert/strict';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import type { ReplicaStore, StoreOperation, StoreOutcome } from '../../src/replica/replicaStore.ts';

/** What Cosmos DB accepts in one bulk request. */
const MAX_OPERATIONS = 100;

/**
 * A container that behaves as Cosmos DB does: 409 for a create that meets an item, 404 for what is not there, 412
 * for an etag that is not the item's any more; items are kept as JSON. Every operation costs one request unit.
 */
export class MemoryStore implements ReplicaStore {
  /** Operations received, by kind. */
  readonly received = { create: 0, read: 0, replace: 0 };
  /**
   * Asked before each operation. Undefined lets it pass; `outcome` is answered instead, after the operation was
   * done when `done` is set, as when an answer is lost.
   */
  fault: (operation: StoreOperation) => Fault | undefined = () => undefined;
  /** Awaited before each call. */
  gate: () => Promise<void> = async () => {};
  readonly #items = new Map<string, { readonly json: string; readonly etag: string }>();
  #writes = 0;

  async execute(operations: readonly StoreOperation[]): Promise<readonly StoreOutcome[]> {
    assert.ok(
      operations.length > 0 && operations.length <= MAX_OPERATIONS,
      `${operations.length} operations`,
    );
    const ids = new Set(operations.map(({ id }) => id));
    assert.equal(ids.size, operations.length, 'one operation an id');
    await this.gate();
    return operations.map((operation) => {
      this.received[operation.kind] += 1;
      const fault = this.fault(operation);
      if (fault !== undefined && !fault.done) return fault.outcome;
      const outcome = this.#run(operation);
      return fault?.outcome ?? { ...outcome, charge: 1 };
    });
  }

  /** The stored item, undefined when there is none. */
  item(id: string): ReplicaItem | undefined {
    const stored = this.#items.get(id);
    return stored === undefined ? undefined : JSON.parse(stored.json);
  }

  /** All items, by id. */
  items(): ReplicaItem[] {
    return [...this.#items]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { json }]): ReplicaItem => JSON.parse(json));
  }

  /** Writes done so far. */
  get writes(): number {
    return this.#writes;
  }

  /** Stores any document past all conditions, as another program would. */
  put(id: string, document: object): void {
    this.#writes += 1;
    this.#items.set(id, { json: JSON.stringify(document), etag: `"${this.#writes}"` });
  }

  /** Takes an item away, as the end of its `ttl` does. */
  remove(id: string): void {
    this.#items.delete(id);
  }

  #run(operation: StoreOperation): StoreOutcome {
    const stored = this.#items.get(operation.id);
    switch (operation.kind) {
      case 'read':
        return stored === undefined
          ? { kind: 'missing' }
          : { kind: 'ok', stored: JSON.parse(stored.json), etag: stored.etag };
      case 'create':
        return stored === undefined ? this.#write(operation.item) : { kind: 'outrun' };
      case 'replace':
        if (stored === undefined) return { kind: 'missing' };
        return stored.etag === operation.etag ? this.#write(operation.item) : { kind: 'outrun' };
      default:
        return operation satisfies never;
    }
  }

  #write(item: ReplicaItem): StoreOutcome {
    this.put(item.id, item);
    return { kind: 'ok', etag: `"${this.#writes}"` };
  }
}

export interface Fault {
  readonly outcome: StoreOutcome;
  readonly done: boolean;
}
