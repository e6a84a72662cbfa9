import {
  BulkOperationType,
  type Container,
  type JSONObject,
  type OperationInput,
  type OperationResponse,
} from '@azure/cosmos';
import { untilAborted } from '../deadline.ts';
import type { BulkAnswer } from './bulkAnswer.ts';

export type BulkOperation = { readonly id: string; readonly pkkey: string } & (
  | { readonly kind: 'read' }
  | { readonly kind: 'create'; readonly item: object }
  | { readonly kind: 'replace'; readonly item: object; readonly etag: string }
);

/**
 * Sends operations on distinct items in one bulk request. Retries are the caller's. Never throws.
 * @param operations at most 100, with 2 MB of items.
 * @returns one answer per operation, in the same order.
 */
export async function sendBulk(
  container: Container,
  operations: readonly BulkOperation[],
  signal: AbortSignal,
): Promise<readonly BulkAnswer[]> {
  try {
    // `items.bulk` is marked deprecated in favour of `executeBulkOperations`, which takes a second or more a
    // call and lets one throttled operation hold up the others.
    const bulk = container.items.bulk(
      operations.map(toInput),
      { continueOnError: true },
      // Nobody reads what a write sends back.
      { abortSignal: signal, contentResponseOnWriteEnabled: false },
    );
    // The SDK does not pass the signal on to what it asks for first, the partition key of the container.
    const responses = await untilAborted(bulk, signal);
    if (responses === undefined) return operations.map(() => givenUp);
    return operations.map((operation, index) => answerTo(operation, responses[index]));
  } catch (error) {
    const answer = answerOfFailure(error);
    return operations.map(() => answer);
  }
}

function toInput(operation: BulkOperation): OperationInput {
  const { id, pkkey: partitionKey } = operation;
  switch (operation.kind) {
    case 'read':
      return { operationType: BulkOperationType.Read, partitionKey, id };
    case 'create':
      return {
        operationType: BulkOperationType.Create,
        partitionKey,
        resourceBody: toBody(operation.item),
      };
    case 'replace':
      return {
        operationType: BulkOperationType.Replace,
        partitionKey,
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

const givenUp: BulkAnswer = { kind: 'unknown', reason: 'no answer by the deadline' };

const noContainer: BulkAnswer = { kind: 'unknown', reason: 'the container does not exist' };

/** `retryAfterMilliseconds` is in the service's answer but not in the SDK's type. */
type Response = OperationResponse & { readonly retryAfterMilliseconds?: number };

function answerTo({ kind }: BulkOperation, response: Response | undefined): BulkAnswer {
  if (response === undefined) return { kind: 'unknown', reason: 'no answer for the operation' };
  return { ...answerOf(kind, response), charge: response.requestCharge };
}

function answerOf(operation: BulkOperation['kind'], response: Response): BulkAnswer {
  const { statusCode, resourceBody, eTag, retryAfterMilliseconds } = response;
  if (operation === 'read' && statusCode === 413) return { kind: 'deferred' };
  // A create needs nothing but the container.
  if (operation === 'create' && statusCode === 404) return noContainer;
  if (statusCode >= 200 && statusCode < 300)
    return { kind: 'ok', stored: resourceBody, ...(eTag !== undefined && { etag: eTag }) };
  return answerOfStatus(statusCode, retryAfterMilliseconds ?? 0, `status ${statusCode}`);
}

interface Failure {
  readonly code?: number | string;
  readonly retryAfterInMs?: number;
  readonly cause?: Failure;
}

/** A bulk request that fails as a whole wraps the error that has the status. */
function answerOfFailure(error: unknown): BulkAnswer {
  const failure = error as Failure;
  const { code, retryAfterInMs } = typeof failure.code === 'number' ? failure : (failure.cause ?? failure);
  const reason = `the request failed: ${code ?? (error instanceof Error ? error.name : 'unknown error')}`;
  if (code === 404) return noContainer;
  return typeof code === 'number'
    ? answerOfStatus(code, retryAfterInMs ?? 0, reason)
    : { kind: 'unknown', reason };
}

/** HTTP status codes for Azure Cosmos DB. */
function answerOfStatus(status: number, retryAfterMs: number, reason: string): BulkAnswer {
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
