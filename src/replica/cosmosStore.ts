import {
  BulkOperationType,
  type Container,
  type JSONObject,
  type OperationInput,
  type OperationResponse,
} from '@azure/cosmos';
import { untilAborted } from '../deadline.ts';
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
    try {
      // `items.bulk` is marked deprecated in favour of `executeBulkOperations`, which takes a second or more a
      // call and lets one throttled operation hold up the others.
      const bulk = this.#containerOf(operations).items.bulk(
        operations.map(toInput),
        { continueOnError: true },
        // Nobody reads what a write sends back.
        { abortSignal: signal, contentResponseOnWriteEnabled: false },
      );
      // The SDK does not pass the signal on to what it asks for first, the partition key of the container.
      const responses = await untilAborted(bulk, signal);
      if (responses === undefined) return operations.map(() => givenUp);
      return operations.map((operation, index) => outcomeOf(operation, responses[index]));
    } catch (error) {
      const outcome = outcomeOfFailure(error);
      // Which operation is the wrong one only shows when they are sent apart; the others must not go with it.
      if (outcome.kind === 'refused' && operations.length > 1) return this.#inHalves(operations, signal);
      return operations.map(() => outcome);
    }
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

function toInput(operation: StoreOperation): OperationInput {
  const { id } = operation;
  switch (operation.kind) {
    case 'create':
      return {
        operationType: BulkOperationType.Create,
        partitionKey: id,
        resourceBody: toBody(operation.item),
      };
    case 'read':
      return { operationType: BulkOperationType.Read, partitionKey: id, id };
    case 'replace':
      return {
        operationType: BulkOperationType.Replace,
        partitionKey: id,
        id,
        ifMatch: operation.etag,
        resourceBody: toBody(operation.item),
      };
    default:
      return operation satisfies never;
  }
}

function toBody(item: object): JSONObject & { id: string } {
  return item as JSONObject & { id: string };
}

const givenUp: StoreOutcome = { kind: 'unknown', reason: 'no answer by the deadline' };

const noContainer: StoreOutcome = { kind: 'unknown', reason: 'the container does not exist' };

/** `retryAfterMilliseconds` is in the service's answer but not in the SDK's type. */
type Response = OperationResponse & { readonly retryAfterMilliseconds?: number };

function outcomeOf(operation: StoreOperation, response: Response | undefined): StoreOutcome {
  if (response === undefined) return { kind: 'unknown', reason: 'no answer for the operation' };
  return { ...answerOf(operation, response), charge: response.requestCharge };
}

function answerOf(operation: StoreOperation, response: Response): StoreOutcome {
  if (operation.kind === 'read' && response.statusCode === 413) return { kind: 'deferred' };
  // A create needs nothing but the container.
  if (operation.kind === 'create' && response.statusCode === 404) {
    return noContainer;
  }
  const { statusCode, resourceBody, eTag } = response;
  if (statusCode >= 200 && statusCode < 300) {
    return { kind: 'ok', stored: resourceBody, ...(eTag !== undefined && { etag: eTag }) };
  }
  return outcomeOfStatus(statusCode, response.retryAfterMilliseconds ?? 0, `status ${statusCode}`);
}

interface Failure {
  readonly code?: number | string;
  readonly retryAfterInMs?: number;
  readonly cause?: Failure;
}

/** A bulk request that fails as a whole wraps the error that has the status. */
function outcomeOfFailure(error: unknown): StoreOutcome {
  const failure = error as Failure;
  const { code, retryAfterInMs } = typeof failure.code === 'number' ? failure : (failure.cause ?? failure);
  const reason = `the request failed: ${code ?? (error instanceof Error ? error.name : 'unknown error')}`;
  if (code === 404) return noContainer;
  return typeof code === 'number'
    ? outcomeOfStatus(code, retryAfterInMs ?? 0, reason)
    : { kind: 'unknown', reason };
}

/** HTTP status codes for Azure Cosmos DB. */
function outcomeOfStatus(status: number, retryAfterMs: number, reason: string): StoreOutcome {
  switch (status) {
    case 404:
      return { kind: 'missing' };
    case 409:
    case 412:
      return { kind: 'outrun' };
    case 429:
      return { kind: 'throttled', retryAfterMs };
    case 400:
    case 413:
      return { kind: 'refused', reason: `Cosmos DB answered ${status}` };
    default:
      return { kind: 'unknown', reason };
  }
}
