import {
  BulkOperationType,
  type Container,
  type JSONObject,
  type OperationInput,
  type OperationResponse,
} from '@azure/cosmos';
import pMap from 'p-map';
import { untilAborted } from '../deadline.ts';
import { OutageError } from '../errors/outageError.ts';
import { COSMOS_CONCURRENCY, MAX_BULK_BYTES, MAX_PROGRESS_OPERATIONS } from '../limits.ts';
import type { FoundItem, ProgressOperation, ProgressOutcome, ProgressStore } from './progressStore.ts';

/** Keeps the progress of transactions in a container with the partition key `/pkkey`. */
export class CosmosProgressStore implements ProgressStore {
  readonly #container: Container;

  constructor(container: Container) {
    this.#container = container;
  }

  async execute(
    operations: readonly ProgressOperation[],
    signal: AbortSignal,
  ): Promise<readonly ProgressOutcome[]> {
    const outcomes = await pMap(chunksOf(operations), (chunk) => this.#send(chunk, signal), {
      concurrency: COSMOS_CONCURRENCY,
    });
    return outcomes.flat();
  }

  async open(db: string, most: number, signal: AbortSignal): Promise<readonly FoundItem[]> {
    return this.#find({ condition: `c.status = 'BEGIN'`, what: 'open transactions', db, most }, signal);
  }

  async unsent(
    db: string,
    most: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly FoundItem[]> {
    const sought = { condition: 'c.outbox = true', what: 'boundaries to send', db, most, after };
    return this.#find(sought, signal);
  }

  async #find(
    { condition, what, db, most, after }: Sought,
    abortSignal: AbortSignal,
  ): Promise<readonly FoundItem[]> {
    const later = after === undefined ? '' : ' AND c["commit"] > @after';
    const query = {
      query: `SELECT * FROM c WHERE c.db = @db AND ${condition}${later} ORDER BY c["commit"]`,
      parameters: [
        { name: '@db', value: db },
        ...(after === undefined ? [] : [{ name: '@after', value: after }]),
      ],
    };
    const found: FoundItem[] = [];
    try {
      const pages = this.#container.items.query<{ readonly _etag: string }>(query, {
        maxItemCount: most,
        abortSignal,
      });
      while (pages.hasMoreResults() && found.length < most) {
        const { resources } = await pages.fetchNext();
        for (const stored of resources ?? []) found.push({ stored, etag: stored._etag });
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new OutageError(`Cosmos DB: looking for ${what} failed${code}; the next run goes on`, {
        cause: error,
      });
    }
    return found.slice(0, most);
  }

  async #send(
    operations: readonly ProgressOperation[],
    signal: AbortSignal,
  ): Promise<readonly ProgressOutcome[]> {
    try {
      // As for rows: `executeBulkOperations` takes a second or more a call.
      const bulk = this.#container.items.bulk(
        operations.map(toInput),
        { continueOnError: true },
        { abortSignal: signal, contentResponseOnWriteEnabled: false },
      );
      const responses = await untilAborted(bulk, signal);
      if (responses === undefined) return operations.map(() => unknown('no answer by the deadline'));
      return operations.map((operation, index) => outcomeOf(operation, responses[index]));
    } catch (error) {
      const outcome = outcomeOfFailure(error);
      return operations.map(() => outcome);
    }
  }
}

interface Sought {
  readonly condition: string;
  /** For the message of an error. */
  readonly what: string;
  readonly db: string;
  readonly most: number;
  /** Commit that they come after. */
  readonly after?: string | undefined;
}

/** The items of large transactions have up to 2 MB, which is all that one request may have. */
function chunksOf(operations: readonly ProgressOperation[]): readonly ProgressOperation[][] {
  const chunks: ProgressOperation[][] = [];
  let left = 0;
  for (const operation of operations) {
    const bytes = operation.kind === 'read' ? 0 : Buffer.byteLength(JSON.stringify(operation.item));
    const chunk = chunks.at(-1);
    if (chunk === undefined || chunk.length === MAX_PROGRESS_OPERATIONS || bytes > left) {
      chunks.push([operation]);
      left = MAX_BULK_BYTES - bytes;
    } else {
      chunk.push(operation);
      left -= bytes;
    }
  }
  return chunks;
}

function toInput(operation: ProgressOperation): OperationInput {
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

function unknown(reason: string): ProgressOutcome {
  return { kind: 'unknown', reason };
}

/** `retryAfterMilliseconds` is in the service's answer but not in the SDK's type. */
type Response = OperationResponse & { readonly retryAfterMilliseconds?: number };

function outcomeOf(operation: ProgressOperation, response: Response | undefined): ProgressOutcome {
  if (response === undefined) return unknown('no answer for the operation');
  const { statusCode, resourceBody, eTag, retryAfterMilliseconds } = response;
  if (statusCode >= 200 && statusCode < 300)
    return { kind: 'ok', stored: resourceBody, ...(eTag !== undefined && { etag: eTag }) };
  // A create needs nothing but the container.
  if (statusCode === 404 && operation.kind === 'create') return unknown('the container does not exist');
  return outcomeOfStatus(statusCode, retryAfterMilliseconds ?? 0);
}

interface Failure {
  readonly code?: number | string;
  readonly retryAfterInMs?: number;
  readonly cause?: Failure;
}

/** A bulk request that fails as a whole wraps the error that has the status. */
function outcomeOfFailure(error: unknown): ProgressOutcome {
  const failure = error as Failure;
  const { code, retryAfterInMs } = typeof failure.code === 'number' ? failure : (failure.cause ?? failure);
  if (code === 404) return unknown('the container does not exist');
  return typeof code === 'number'
    ? outcomeOfStatus(code, retryAfterInMs ?? 0)
    : unknown(`the request failed: ${code ?? (error instanceof Error ? error.name : 'unknown error')}`);
}

/** HTTP status codes for Azure Cosmos DB. */
function outcomeOfStatus(status: number, retryAfterMs: number): ProgressOutcome {
  switch (status) {
    case 404:
      return { kind: 'missing' };
    case 409:
    case 412:
      return { kind: 'outrun' };
    case 429:
      return { kind: 'throttled', retryAfterMs };
    default:
      return unknown(`status ${status}`);
  }
}
