import type { StoreOperation, StoreOutcome } from '../../src/replica/replicaStore.ts';
import { MemoryStore } from '../support/memoryStore.ts';

/** What happens to an operation instead of the ordinary. */
export type StoreFault =
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** The answer is lost before the operation is done. */
  | { readonly kind: 'lostBefore' }
  /** The answer is lost, the operation is done. */
  | { readonly kind: 'lostAfter' }
  | { readonly kind: 'refused' }
  /** Someone else does this just before. */
  | { readonly kind: 'meanwhile'; readonly act: (store: MemoryStore) => void };

/** A store whose operations meet the faults that `faults` gives, undefined for none. */
export function faultyStore(faults: (operation: StoreOperation) => StoreFault | undefined): MemoryStore {
  const store = new MemoryStore();
  store.fault = (operation) => {
    const fault = faults(operation);
    switch (fault?.kind) {
      case undefined:
        return undefined;
      case 'throttled':
        return { outcome: fault, done: false };
      case 'lostBefore':
        return { outcome: lost, done: false };
      case 'lostAfter':
        return { outcome: lost, done: true };
      case 'refused':
        return { outcome: { kind: 'refused', reason: 'Cosmos DB answered 400' }, done: false };
      case 'meanwhile':
        fault.act(store);
        return undefined;
      default:
        return fault satisfies never;
    }
  };
  return store;
}

const lost: StoreOutcome = { kind: 'unknown', reason: 'the answer was lost' };
