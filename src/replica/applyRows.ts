import pMap from 'p-map';
import { retryWait } from '../cosmos/retryWait.ts';
import type { Deadline } from '../deadline.ts';
import { COSMOS_CONCURRENCY, OUTRUN_ROUNDS_AT_ONCE } from '../limits.ts';
import { breakUp, type RowEnd } from './breakUp.ts';
import { bulkChunks } from './bulkChunks.ts';
import type { LargeValues } from './largeValues.ts';
import type { RecentItems } from './recentItems.ts';
import type { ReplicaStore, StoreOperation, StoreOutcome } from './replicaStore.ts';
import {
  firstStep,
  isResult,
  nextStep,
  type OpenStep,
  type Row,
  type RowResult,
  type StepOutcome,
} from './rowStep.ts';
import { storeValues } from './storeValues.ts';

export interface Applied {
  /** In the order of the rows given. */
  readonly results: readonly RowEnd[];
  readonly operations: OperationCounts;
}

/** Operations sent to Cosmos DB. */
export interface OperationCounts {
  readonly reads: number;
  /** Writes that were done. */
  readonly writes: number;
  /** Writes that were not: the item was there already, had changed since it was read, or Cosmos DB was busy. */
  readonly failedWrites: number;
  /** Request units charged for all of them. */
  readonly requestUnits: number;
  /** Large values put into Blob storage for them, those that were there already included. */
  readonly largeValues: number;
}

/** Where rows and their large values are kept. */
export interface RowStores {
  readonly store: ReplicaStore;
  readonly largeValues: LargeValues;
  /** Saves reading rows that were written a moment ago. */
  readonly recentItems?: RecentItems | undefined;
}

/**
 * Step 4: brings rows into the store, in rounds: each round sends the next operation of every row that is not done, in
 * bulk. Inserts take one round, updates two, or one where the row was written a moment ago. A row that Cosmos DB
 * refuses is tried again change by change. What an item refers to is durable before the item is sent.
 * @param rows with distinct ids.
 * @param tombstoneSeconds life of a tombstone, in seconds.
 * @param createMissing false when only rows that are stored may be written; the others end as withheld.
 * @throws OutageError when rows are left at the deadline.
 */
export async function applyRows(
  rows: readonly Row[],
  stores: RowStores,
  deadline: Deadline,
  tombstoneSeconds: number,
  createMissing = true,
): Promise<Applied> {
  const operations = { reads: 0, writes: 0, failedWrites: 0, requestUnits: 0, largeValues: 0 };
  const sender: Sender = { ...stores, deadline, counts: operations, stored: new Set() };
  const apply = (some: readonly Row[]) => inRounds(some, sender, tombstoneSeconds, createMissing);
  const results = await breakUp(rows, await apply(rows), apply);
  return { results, operations: { ...operations, largeValues: sender.stored.size } };
}

async function inRounds(
  rows: readonly Row[],
  sender: Sender,
  tombstoneSeconds: number,
  createMissing: boolean,
): Promise<readonly RowResult[]> {
  const { deadline } = sender;
  const results: RowResult[] = [];
  const take = (index: number, row: Row, step: OpenStep | RowResult): OpenRow[] => {
    if (!isResult(step)) return [{ index, row, step, bytes: bytesOf(step) }];
    results[index] = step;
    return [];
  };
  let open = rows.flatMap((row, index) =>
    take(
      index,
      row,
      firstStep(row, tombstoneSeconds, createMissing, sender.recentItems?.get(row.id, row.rules.container)),
    ),
  );
  let reason = '';
  for (let troubles = 0, outruns = 0; open.length > 0; ) {
    deadline.check(`writing ${open.length} of ${rows.length} rows to Cosmos DB${reason}`);
    const byContainer = Map.groupBy(open, ({ row }) => row.rules.container).values();
    const chunks = [...byContainer].flatMap((some) => bulkChunks(some));
    const round = await pMap(chunks, (chunk) => sendChunk(chunk, sender), {
      concurrency: COSMOS_CONCURRENCY,
    });
    const outcomes = round.flat().map(({ outcome }) => outcome);
    reason = reasonOf(outcomes) ?? reason;
    if (outcomes.some(({ kind }) => kind === 'outrun')) outruns += 1;
    const wait = waitAfter(outcomes, troubles, outruns);
    troubles = wait === 0 ? 0 : troubles + 1;
    open = round
      .flat()
      .flatMap(({ index, row, step, outcome }) =>
        take(index, row, nextStep(row, step, outcome, tombstoneSeconds, createMissing)),
      );
    if (wait > 0) await deadline.sleep(wait);
  }
  return results;
}

/** Why operations have to be sent again, for the operator who looks for the cause. */
function reasonOf(outcomes: readonly StepOutcome[]): string | undefined {
  for (const outcome of outcomes) {
    if (outcome.kind === 'unknown') return ` (last answer: ${outcome.reason})`;
    if (outcome.kind === 'throttled') return ' (last answer: status 429, out of request units)';
    if (outcome.kind === 'unsent') return ` (${outcome.reason})`;
  }
  return undefined;
}

/** What operations are sent with. */
interface Sender extends RowStores {
  readonly deadline: Deadline;
  readonly counts: Counting;
  /** Names of the large values that this batch has stored. */
  readonly stored: Set<string>;
}

type Counting = { -readonly [Count in keyof OperationCounts]: number };

interface OpenRow {
  readonly index: number;
  readonly row: Row;
  readonly step: OpenStep;
  readonly bytes: number;
}

function bytesOf(step: OpenStep): number {
  return step.kind === 'read' ? 0 : step.bytes;
}

type Answered = OpenRow & { readonly outcome: StepOutcome };

async function sendChunk(chunk: readonly OpenRow[], sender: Sender): Promise<readonly Answered[]> {
  const ready: OpenRow[] = [];
  const unsent: Answered[] = [];
  for (const open of chunk) {
    const { step } = open;
    const failure = hasValues(step)
      ? await storeValues(step.values, sender.largeValues, sender.stored, sender.deadline.signal)
      : undefined;
    if (failure === undefined) ready.push(open);
    else unsent.push({ ...open, outcome: { kind: 'unsent', reason: failure } });
  }
  return ready.length === 0 ? unsent : [...unsent, ...(await sendReady(ready, sender))];
}

function hasValues(step: OpenStep): step is Exclude<OpenStep, { kind: 'read' }> {
  return step.kind !== 'read' && step.values.length > 0;
}

async function sendReady(
  chunk: readonly OpenRow[],
  { store, deadline, counts, recentItems }: Sender,
): Promise<readonly Answered[]> {
  const outcomes = await store.execute(chunk.map(toOperation), deadline.signal);
  const sent = chunk.map((open, index) => ({ ...open, outcome: outcomes[index] ?? unanswered }));
  for (const { row, step, outcome } of sent) {
    if (step.kind !== 'read') remember(row, step, outcome, recentItems);
    counts.requestUnits += outcome.charge ?? 0;
    if (step.kind === 'read') counts.reads += 1;
    else if (outcome.kind === 'ok') counts.writes += 1;
    else counts.failedWrites += 1;
  }
  return sent;
}

function remember(
  { id, rules: { container } }: Row,
  { item, bytes }: Exclude<OpenStep, { kind: 'read' }>,
  outcome: StoreOutcome,
  recentItems: RecentItems | undefined,
): void {
  if (outcome.kind === 'ok' && outcome.etag !== undefined)
    recentItems?.add({ id, container, item, bytes, etag: outcome.etag });
  else recentItems?.forget(id, container);
}

const unanswered: StoreOutcome = { kind: 'unknown', reason: 'no answer for the operation' };

function toOperation({ row: { id, rules }, step }: OpenRow): StoreOperation {
  const { container } = rules;
  switch (step.kind) {
    case 'read':
      return { kind: 'read', id, container };
    case 'create':
      return { kind: 'create', id, container, item: step.item };
    case 'replace':
      return { kind: 'replace', id, container, item: step.item, etag: step.etag };
    default:
      return step satisfies never;
  }
}

/**
 * Milliseconds to wait before the next round: what Cosmos DB asks for, else longer each time, with jitter.
 * @param outruns rounds so far in which another writer was first; a read that goes well lies between two.
 */
function waitAfter(outcomes: readonly StepOutcome[], troublesBefore: number, outruns: number): number {
  let asked = 0;
  let trouble = false;
  let contended = false;
  for (const outcome of outcomes) {
    if (outcome.kind === 'throttled') asked = Math.max(asked, outcome.retryAfterMs);
    if (outcome.kind === 'throttled' || outcome.kind === 'unknown' || outcome.kind === 'unsent')
      trouble = true;
    if (outcome.kind === 'outrun') contended = outruns > OUTRUN_ROUNDS_AT_ONCE;
  }
  if (!trouble && !contended) return 0;
  const doublings = contended
    ? Math.max(troublesBefore, outruns - OUTRUN_ROUNDS_AT_ONCE - 1)
    : troublesBefore;
  return retryWait(asked, doublings);
}
