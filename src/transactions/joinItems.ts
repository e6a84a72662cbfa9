import { retryWait } from '../cosmos/retryWait.ts';
import type { Deadline } from '../deadline.ts';
import { OUTRUN_ROUNDS_AT_ONCE } from '../limits.ts';
import type { ItemAddress, ProgressOperation, ProgressOutcome, ProgressStore } from './progressStore.ts';

/** An item that something is to be joined into. */
export interface Joining extends ItemAddress {
  /** The item with it; undefined when it adds nothing. @param stored undefined where nothing is stored. */
  join(stored: unknown): object | undefined;
  /** The same for the item that is written last, when all others are: it may tell that they are. */
  readonly joinLast?: ((stored: unknown) => object | undefined) | undefined;
  /** What was just read: saves reading it again. */
  readonly known?: KnownItem | undefined;
}

export interface KnownItem {
  /** Undefined, with the etag, where nothing is stored. */
  readonly stored: unknown;
  readonly etag: string | undefined;
}

/**
 * Joins into items what they do not know yet: read, join, write if nobody else has written meanwhile; else again. A
 * write whose outcome is unknown is looked at before anything is repeated.
 * @param what for the message of the error.
 * @returns whether an item was written by its {@link Joining.joinLast}.
 * @throws OutageError when something is left at the deadline.
 */
export async function joinItems(
  items: readonly Joining[],
  store: ProgressStore,
  deadline: Deadline,
  what: string,
): Promise<boolean> {
  let open = items;
  let reason = '';
  let hasLast = false;
  for (let troubles = 0, outruns = 0; open.length > 0; ) {
    deadline.check(`${what}: ${open.length} of ${items.length} items${reason}`);
    const results = await joinOnce(open, store, deadline.signal);
    hasLast = results.some(({ kind }) => kind === 'last');
    open = open.flatMap((joining, index) => leftOf(joining, results[index] ?? unanswered));
    const failed = results.filter(isFailure);
    reason = reasonOf(failed) ?? reason;
    if (failed.some(({ kind }) => kind === 'outrun')) outruns += 1;
    const trouble = failed.some(({ kind }) => kind === 'throttled' || kind === 'unknown');
    const wait = waitAfter(failed, trouble, troubles, outruns);
    troubles = trouble ? troubles + 1 : 0;
    if (wait > 0 && open.length > 0) await deadline.sleep(wait);
  }
  return hasLast;
}

type Result =
  | { readonly kind: 'done' | 'last' }
  /** Waits for the others. */
  | { readonly kind: 'held'; readonly known: KnownItem }
  | ProgressOutcome;

function leftOf(joining: Joining, result: Result): readonly Joining[] {
  if (result.kind === 'done' || result.kind === 'last') return [];
  return [{ ...joining, known: result.kind === 'held' ? result.known : undefined }];
}

function isFailure(result: Result): result is ProgressOutcome {
  return result.kind !== 'done' && result.kind !== 'last' && result.kind !== 'held';
}

async function joinOnce(
  open: readonly Joining[],
  store: ProgressStore,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const found = await readUnknown(open, store, signal);
  const isLast = open.length === 1;
  const results: Result[] = [];
  const writes: Write[] = [];
  for (const [index, joining] of open.entries()) {
    const known = found[index] ?? unanswered;
    if ('kind' in known) {
      results[index] = known;
      continue;
    }
    const last = isLast ? joining.joinLast?.(known.stored) : undefined;
    const item = last ?? joining.join(known.stored);
    if (item === undefined) results[index] = { kind: 'done' };
    else writes.push({ index, known, item, kind: last === undefined ? 'done' : 'last' });
  }
  const held = isLast ? undefined : writes.findLast(({ index }) => open[index]?.joinLast !== undefined);
  if (held !== undefined) results[held.index] = { kind: 'held', known: held.known };
  const now = writes.filter((write) => write !== held);
  const outcomes = await execute(
    now.map(({ index, known, item }) => operationOf(open[index], known, item)),
    store,
    signal,
  );
  for (const [place, { index, kind }] of now.entries()) {
    const outcome = outcomes[place] ?? unanswered;
    results[index] = outcome.kind === 'ok' ? { kind } : outcome;
  }
  return results;
}

interface Write {
  readonly index: number;
  readonly known: KnownItem;
  readonly item: object;
  readonly kind: 'done' | 'last';
}

/** Items of which nothing is known yet. An outcome stands for one that could not be read. */
async function readUnknown(
  open: readonly Joining[],
  store: ProgressStore,
  signal: AbortSignal,
): Promise<readonly (KnownItem | ProgressOutcome)[]> {
  const read = await readItems(
    open.filter(({ known }) => known === undefined),
    store,
    signal,
  );
  const left = read.values();
  return open.map(({ known }) => known ?? left.next().value ?? unanswered);
}

/** @returns in their order what is stored, or the outcome where that could not be read. */
export async function readItems(
  addresses: readonly ItemAddress[],
  store: ProgressStore,
  signal: AbortSignal,
): Promise<readonly (KnownItem | ProgressOutcome)[]> {
  const outcomes = await execute(
    addresses.map(({ id, pkkey }) => ({ kind: 'read', id, pkkey })),
    store,
    signal,
  );
  return addresses.map((_, index) => {
    const outcome = outcomes[index] ?? unanswered;
    if (outcome.kind === 'missing') return { stored: undefined, etag: undefined };
    return outcome.kind === 'ok' ? { stored: outcome.stored, etag: outcome.etag ?? '' } : outcome;
  });
}

function operationOf(joining: Joining | undefined, { etag }: KnownItem, item: object): ProgressOperation {
  const { id = '', pkkey = '' } = joining ?? {};
  return etag === undefined
    ? { kind: 'create', id, pkkey, item }
    : { kind: 'replace', id, pkkey, item, etag };
}

const unanswered: ProgressOutcome = { kind: 'unknown', reason: 'no answer for the operation' };

async function execute(
  operations: readonly ProgressOperation[],
  store: ProgressStore,
  signal: AbortSignal,
): Promise<readonly ProgressOutcome[]> {
  return operations.length === 0 ? [] : store.execute(operations, signal);
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
  return retryWait(asked, doublings);
}
