import type { Container, SqlQuerySpec } from '@azure/cosmos';
import pMap from 'p-map';
import type { BulkAnswer } from '../cosmos/bulkAnswer.ts';
import { queryPages } from '../cosmos/queryPages.ts';
import { sendBulk } from '../cosmos/sendBulk.ts';
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

  async unnumbered(
    db: string,
    most: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly FoundItem[]> {
    const what = 'transactions whose rows are to be numbered';
    return this.#find({ condition: 'c.unnumbered = true', what, db, most, after }, signal);
  }

  async databases(known: readonly string[], most: number, signal: AbortSignal): Promise<readonly string[]> {
    const query = {
      query: `SELECT VALUE c.db FROM c WHERE c.status = 'BEGIN' AND NOT ARRAY_CONTAINS(@known, c.db)`,
      parameters: [{ name: '@known', value: [...known] }],
    };
    return this.#query<string>(query, 'databases', most, signal);
  }

  async carrying(most: number, signal: AbortSignal): Promise<readonly unknown[]> {
    // `_ts` has an index of its own, whatever the policy of the container.
    const query = 'SELECT VALUE c._ces.carried FROM c WHERE c.carries = true ORDER BY c._ts DESC';
    return this.#query<unknown>({ query }, 'progress', most, signal);
  }

  async #find(
    { condition, what, db, most, after }: Sought,
    signal: AbortSignal,
  ): Promise<readonly FoundItem[]> {
    const later = after === undefined ? '' : ' AND c["commit"] > @after';
    const query = {
      query: `SELECT * FROM c WHERE c.db = @db AND ${condition}${later} ORDER BY c["commit"]`,
      parameters: [
        { name: '@db', value: db },
        ...(after === undefined ? [] : [{ name: '@after', value: after }]),
      ],
    };
    const found = await this.#query<{ readonly _etag: string }>(query, what, most, signal);
    return found.map((stored) => ({ stored, etag: stored._etag }));
  }

  /** @throws OutageError when it is not answered. */
  async #query<Item>(
    query: SqlQuerySpec,
    what: string,
    most: number,
    abortSignal: AbortSignal,
  ): Promise<readonly Item[]> {
    const found: Item[] = [];
    for await (const page of queryPages<Item>(this.#container, query, what, most, abortSignal)) {
      for (const item of page) found.push(item);
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  async #send(
    operations: readonly ProgressOperation[],
    signal: AbortSignal,
  ): Promise<readonly ProgressOutcome[]> {
    const answers = await sendBulk(this.#container, operations, signal);
    const deferred = [...answers.keys()].filter((index) => answers[index]?.kind === 'deferred');
    const outcomes = answers.map(outcomeOf);
    // Large items: of what is asked for again the first is answered for sure.
    if (deferred.length === 0 || deferred.length === operations.length) return outcomes;
    const left = await this.#send(
      deferred.flatMap((index) => operations[index] ?? []),
      signal,
    );
    for (const [place, index] of deferred.entries()) outcomes[index] = left[place] ?? outcomeOf(undefined);
    return outcomes;
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

/** An item that is refused is tried again: it cannot be done without, and nothing that a source sends is in it. */
function outcomeOf(answer: BulkAnswer | undefined): ProgressOutcome {
  if (answer === undefined) return { kind: 'unknown', reason: 'no answer for the operation' };
  const { charge: _, ...outcome } = answer;
  switch (outcome.kind) {
    case 'deferred':
      return { kind: 'unknown', reason: 'the answer is too large' };
    case 'refused':
      return { kind: 'unknown', reason: outcome.reason };
    default:
      return outcome;
  }
}
