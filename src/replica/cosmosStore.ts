import type { Container } from '@azure/cosmos';
import { type BulkOperation, sendBulk } from '../cosmos/sendBulk.ts';
import { assert } from '../errors/bug.ts';
import type { ReplicaStore, StoreOperation, StoreOutcome } from './replicaStore.ts';

/** Speaks to Cosmos DB containers in bulk requests; retries are the caller's. */
export class CosmosStore implements ReplicaStore {
  readonly #container: Container;
  readonly #others: ReadonlyMap<string, Container>;

  /** @param others by the names that operations call them. */
  constructor(container: Container, others: ReadonlyMap<string, Container> = new Map()) {
    this.#container = container;
    this.#others = others;
  }

  async execute(
    operations: readonly StoreOperation[],
    signal: AbortSignal,
  ): Promise<readonly StoreOutcome[]> {
    const container = this.#containerOf(operations);
    const outcomes = await sendBulk(container, operations.map(toBulk), signal);
    // Which operation is the wrong one only shows when they are sent apart; the others must not go with it.
    const isRefused = operations.length > 1 && outcomes.every(({ kind }) => kind === 'refused');
    return isRefused ? this.#inHalves(operations, signal) : outcomes;
  }

  #containerOf(operations: readonly StoreOperation[]): Container {
    const name = operations[0]?.container;
    if (name === undefined) return this.#container;
    const container = this.#others.get(name);
    assert(container !== undefined, 'every container of the configuration is connected');
    return container;
  }

  async #inHalves(
    operations: readonly StoreOperation[],
    signal: AbortSignal,
  ): Promise<readonly StoreOutcome[]> {
    const middle = Math.ceil(operations.length / 2);
    return [
      ...(await this.execute(operations.slice(0, middle), signal)),
      ...(await this.execute(operations.slice(middle), signal)),
    ];
  }
}

/** `pkkey` equals the id. */
function toBulk(operation: StoreOperation): BulkOperation {
  return { ...operation, pkkey: operation.id };
}
