import type { Deadline } from '../deadline.ts';
import {
  OUTRUN_ROUNDS_AT_ONCE,
  RETRY_AFTER_LONGEST_MS,
  RETRY_FIRST_MS,
  RETRY_LONGEST_MS,
} from '../limits.ts';
import type { ItemAddress, ProgressOperation, ProgressOutcome, ProgressStore } from './progressStore.ts';

/** An item that something is to be joined into. */
export interface Joining extends ItemAddress {
  /** The item with it; undefined when it adds nothing. @param stored undefined where nothing is stored. */
  join(stored: unknown): object | undefined;
  /** What this process has written itself last: saves reading it. */
  readonly known?: KnownItem | undefined;
}

export interface KnownItem {
  readonly stored: object;
  readonly etag: string;
}

/**
 * Joins into items what they do not know yet: read, join, write if nobody else has written meanwhile; else again. A
 * write whose outcome is unknown is looked at before anything is repeated.
 * @param what for the message of the error.
 * @returns what was written, by the id of its item.
 * @throws OutageError when something is left at the deadline.
 */
export async function joinItems(
  items: readonly Joining[],
  store: ProgressStore,
  deadline: Deadline,
  what: string,
): Promise<ReadonlyMap<string, KnownItem>> {
  const written = new Map<string, KnownItem>();
  let open = items;
  let reason = '';
  for (let troubles = 0, outruns = 0, first = true; open.length > 0; first = false) {
    deadline.check(`${what}: ${open.length} of ${items.length} items${reason}`);
    const outcomes = await joinOnce(open, first, store, deadline.signal, written);
    const left = open.filter((_, index) => outcomes[index] !== 'done');
    const failed = outcomes.filter((outcome) => outcome !== 'done');
    reason = reasonOf(failed) ?? reason;
    if (failed.some(({ kind }) => kind === 'outrun')) outruns += 1;
    const trouble = failed.some(({ kind }) => kind === 'throttled' || kind === 'unknown');
    const wait = waitAfter(failed, trouble, troubles, outruns);
    troubles = trouble ? troubles + 1 : 0;
    open = left;
    if (wait > 0 && open.length > 0) await deadline.sleep(wait);
  }
  return written;
}

async function joinOnce(
  open: readonly Joining[],
  first: boolean,
  store: ProgressStore,
  signal: AbortSignal,
  written: Map<string, KnownItem>,
): Promise<readonly (ProgressOutcome | 'done')[]> {
  const results: (ProgressOutcome | 'done')[] = [];
  const toRead = [...open.keys()].filter((index) => !first || open[index]?.known === undefined);
  const reads = await execute(
    toRead.map((index) => ({ kind: 'read', ...addressOf(open[index]) })),
    store,
    signal,
  );
  const found = new Map(toRead.map((index, place) => [index, reads[place] ?? unanswered]));
  const writes: { readonly index: number; readonly operation: ProgressOperation; readonly item: object }[] =
    [];
  for (const [index, joining] of open.entries()) {
    const read: ProgressOutcome = found.get(index) ?? { kind: 'ok', ...joining.known };
    if (read.kind !== 'ok' && read.kind !== 'missing') {
      results[index] = read;
      continue;
    }
    const item = joining.join(read.kind === 'ok' ? read.stored : undefined);
    if (item === undefined) {
      results[index] = 'done';
      continue;
    }
    const address = addressOf(joining);
    const operation: ProgressOperation =
      read.kind === 'ok'
        ? { kind: 'replace', ...address, item, etag: read.etag ?? '' }
        : { kind: 'create', ...address, item };
    writes.push({ index, operation, item });
  }
  const outcomes = await execute(
    writes.map(({ operation }) => operation),
    store,
    signal,
  );
  for (const [place, { index, operation, item }] of writes.entries()) {
    const outcome = outcomes[place] ?? unanswered;
    results[index] = outcome.kind === 'ok' ? 'done' : outcome;
    if (outcome.kind === 'ok' && outcome.etag !== undefined)
      written.set(operation.id, { stored: item, etag: outcome.etag });
  }
  return results;
}

const unanswered: ProgressOutcome = { kind: 'unknown', reason: 'no answer for the operation' };

async function execute(
  operations: readonly ProgressOperation[],
  store: ProgressStore,
  signal: AbortSignal,
): Promise<readonly ProgressOutcome[]> {
  return operations.length === 0 ? [] : store.execute(operations, signal);
}

function addressOf(joining: Joining | undefined): ItemAddress {
  return { id: joining?.id ?? '', pkkey: joining?.pkkey ?? '' };
}

function reasonOf(outcomes: readonly ProgressOutcome[]): string | undefined {
  for (const outcome of outcomes) {
    if (outcome.kind === 'unknown') return ` (last answer: ${outcome.reason})`;
    if (outcome.kind === 'throttled') return ' (last answer: status 429, out of request units)';
  }
  return undefined;
}

/** Milliseconds: what Cosmos DB asks for, else longer each time, with jitter; at once where another came first. */
function waitAfter(
  outcomes: readonly ProgressOutcome[],
  trouble: boolean,
  troublesBefore: number,
  outruns: number,
): number {
  const excess = outruns - OUTRUN_ROUNDS_AT_ONCE;
  const contended = excess > 0 && outcomes.some(({ kind }) => kind === 'outrun');
  if (!trouble && !contended) return 0;
  const asked = Math.max(0, ...outcomes.map((one) => (one.kind === 'throttled' ? one.retryAfterMs : 0)));
  const doublings = contended ? Math.max(troublesBefore, excess - 1) : troublesBefore;
  const backoff = Math.min(RETRY_FIRST_MS * 2 ** doublings, RETRY_LONGEST_MS);
  return Math.max(Math.min(asked, RETRY_AFTER_LONGEST_MS), backoff) * (1 + Math.random() / 2);
}
