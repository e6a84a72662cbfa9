import pMap from 'p-map';
import { retryWait } from '../cosmos/retryWait.ts';
import type { Deadline } from '../deadline.ts';
import { DataError } from '../errors/dataError.ts';
import { COSMOS_CONCURRENCY, MAX_BULK_OPERATIONS, MAX_ITEM_BYTES, NUMBERING_TRIES } from '../limits.ts';
import type { Table } from '../model/table.ts';
import type { Version } from '../model/version.ts';
import { bulkChunks } from './bulkChunks.ts';
import type { DocumentId } from './documentId.ts';
import { join } from './join.ts';
import { jsonBytes } from './moveOut.ts';
import { fromReplicaItem, type ReplicaItem, toReplicaItem } from './replicaItem.ts';
import type { ReplicaStore, StoreOperation, StoreOutcome } from './replicaStore.ts';
import { versionOfStamp } from './stamp.ts';

/** A row that is to tell its `data_collection_order`. */
export interface OrderedRow {
  readonly id: DocumentId;
  /** As the replica names it. */
  readonly table: Table;
  /** The change that has the order: the row is left alone when another one is its newest by now. */
  readonly version: Version;
  readonly order: number;
}

export interface WrittenOrders {
  readonly written: number;
  /** Rows that Cosmos DB did not take, or tell of, for now. */
  readonly left: readonly OrderedRow[];
}

/**
 * Writes orders into rows: read, join, replace what nobody else has written meanwhile; else again. A row that is gone,
 * that is not this app's, or into which the order does not fit, goes without.
 * @param rows of distinct ids.
 * @param tombstoneSeconds life of a tombstone, in seconds: it begins anew.
 */
export async function writeOrders(
  rows: readonly OrderedRow[],
  container: string | undefined,
  store: ReplicaStore,
  deadline: Deadline,
  tombstoneSeconds: number,
): Promise<WrittenOrders> {
  const chunks = Array.from({ length: Math.ceil(rows.length / MAX_BULK_OPERATIONS) }, (_, n) =>
    rows.slice(n * MAX_BULK_OPERATIONS, (n + 1) * MAX_BULK_OPERATIONS),
  );
  const execute: Execute = (operations) =>
    operations.length === 0 ? Promise.resolve([]) : store.execute(operations, deadline.signal);
  const write = (chunk: readonly OrderedRow[]) =>
    writeChunk(chunk, container, execute, deadline, tombstoneSeconds);
  const done = await pMap(chunks, write, { concurrency: COSMOS_CONCURRENCY });
  return {
    written: done.reduce((sum, { written }) => sum + written, 0),
    left: done.flatMap(({ left }) => left),
  };
}

type Execute = (operations: readonly StoreOperation[]) => Promise<readonly StoreOutcome[]>;

async function writeChunk(
  chunk: readonly OrderedRow[],
  container: string | undefined,
  execute: Execute,
  deadline: Deadline,
  tombstoneSeconds: number,
): Promise<WrittenOrders> {
  let open = chunk;
  let written = 0;
  for (let fruitless = 0; open.length > 0 && fruitless < NUMBERING_TRIES && !deadline.signal.aborted; ) {
    const again: OrderedRow[] = [];
    const outcomes: StoreOutcome[] = [];
    const take = (row: OrderedRow, outcome: StoreOutcome = unanswered): void => {
      outcomes.push(outcome);
      if (!isFinal(outcome)) again.push(row);
    };
    const reads = await execute(open.map(({ id }) => ({ kind: 'read', id, container })));
    const writes = open.flatMap((row, index) => {
      const read = reads[index] ?? unanswered;
      if (read.kind === 'ok') return writeOf(row, read, tombstoneSeconds);
      take(row, read);
      return [];
    });
    for (const some of bulkChunks(writes)) {
      const answers = await execute(
        some.map(({ row: { id }, item, etag }) => ({ kind: 'replace', id, container, item, etag })),
      );
      for (const [index, { row }] of some.entries()) take(row, answers[index]);
      written += answers.filter(({ kind }) => kind === 'ok').length;
    }
    fruitless = again.length < open.length ? 0 : fruitless + 1;
    open = again;
    const wait = waitAfter(outcomes, fruitless);
    if (wait > 0 && open.length > 0 && fruitless < NUMBERING_TRIES) await deadline.sleep(wait);
  }
  return { written, left: open };
}

const unanswered: StoreOutcome = { kind: 'unknown', reason: 'no answer for the operation' };

interface Write {
  readonly row: OrderedRow;
  readonly item: ReplicaItem;
  readonly etag: string;
  readonly bytes: number;
}

/** Nothing where there is nothing to write. */
function writeOf(
  row: OrderedRow,
  { stored, etag = '' }: { readonly stored?: unknown; readonly etag?: string },
  tombstoneSeconds: number,
): readonly Write[] {
  const item = withOrder(row, stored, tombstoneSeconds);
  const bytes = item === undefined ? 0 : jsonBytes(item);
  return item === undefined || bytes > MAX_ITEM_BYTES ? [] : [{ row, item, etag, bytes }];
}

function withOrder(
  { id, table, version, order }: OrderedRow,
  stored: unknown,
  tombstoneSeconds: number,
): ReplicaItem | undefined {
  try {
    const state = fromReplicaItem(stored);
    if (versionOfStamp(state.newest.stamp) !== version) return undefined;
    // An order that is higher was found when more changes were known.
    const joined = join(state, { ...state, newest: { ...state.newest, dataCollectionOrder: order } });
    return joined === state ? undefined : toReplicaItem(id, table, joined, tombstoneSeconds);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

/** Whether asking again would come to nothing else. */
function isFinal({ kind }: StoreOutcome): boolean {
  switch (kind) {
    case 'ok':
    case 'missing':
    case 'refused':
      return true;
    case 'deferred':
    case 'outrun':
    case 'throttled':
    case 'unknown':
      return false;
    default:
      return kind satisfies never;
  }
}

/** Milliseconds: what Cosmos DB asks for, else longer each time; at once where another came first, or reads go on. */
function waitAfter(outcomes: readonly StoreOutcome[], fruitless: number): number {
  const asked = Math.max(0, ...outcomes.map((one) => (one.kind === 'throttled' ? one.retryAfterMs : 0)));
  const trouble = outcomes.some(({ kind }) => kind === 'throttled' || kind === 'unknown');
  if (!trouble && fruitless === 0) return 0;
  return retryWait(asked, fruitless);
}
