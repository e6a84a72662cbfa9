import type { ReplicaStore, StoreOperation, StoreOutcome } from '../../src/replica/replicaStore.ts';
import { MemoryStore } from './memoryStore.ts';

/** A store in memory for each container. */
export class ContainerStores implements ReplicaStore {
  /** By name; undefined for the default one. */
  readonly stores = new Map<string | undefined, MemoryStore>();

  async execute(operations: readonly StoreOperation[]): Promise<readonly StoreOutcome[]> {
    const containers = new Set(operations.map(({ container }) => container));
    const [container] = containers;
    if (containers.size !== 1) throw new RangeError('a request is for one container');
    const store = this.stores.get(container) ?? new MemoryStore();
    this.stores.set(container, store);
    return store.execute(operations);
  }
}
