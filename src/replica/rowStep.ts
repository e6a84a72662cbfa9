import { DataError } from '../errors/dataError.ts';
import type { DocumentId } from './documentId.ts';
import { type FittingItem, fittingItem } from './fittingItem.ts';
import { fold } from './fold.ts';
import type { KnownItem } from './recentItems.ts';
import { fromReplicaItem } from './replicaItem.ts';
import type { StoreOutcome } from './replicaStore.ts';
import type { Newest, RowState } from './rowState.ts';
import type { TableRules } from './tableRules.ts';

/** One row of a batch with all its changes. */
export interface Row {
  readonly id: DocumentId;
  readonly rules: TableRules;
  /** At least one, in any order. */
  readonly changes: readonly RowState[];
}

/**
 * Where a row is on its way into the store: create, or read, join and replace, again and again until the store
 * holds all that the changes say.
 */
export type RowStep = Read | Create | Replace | RowResult;
export type OpenStep = Read | Create | Replace;

/** How the changes of a row ended. */
export type RowResult =
  /**
   * `applied` in the order of the changes: whether each was newer than what was stored. `before`: the newest change
   * that was stored when the row was first read; absent when nothing was, or it may be this batch's own.
   */
  | { readonly kind: 'done'; readonly applied: readonly boolean[]; readonly before?: Newest }
  /** Nothing is stored of the row, and nothing may be created: it was left as it is. */
  | { readonly kind: 'withheld' }
  | { readonly kind: 'rejected'; readonly error: DataError };

interface Attempt {
  /**
   * Changes that a write of unknown outcome carried. Should it turn out to have been done, the read finds
   * nothing to add, although these changes were applied here.
   */
  readonly attempted: readonly boolean[];
  /** The newest change that others had stored. */
  readonly before?: Newest;
}

interface Read extends Attempt {
  readonly kind: 'read';
}

interface Write extends Attempt, FittingItem {
  readonly applied: readonly boolean[];
}

interface Create extends Write {
  readonly kind: 'create';
}

interface Replace extends Write {
  readonly kind: 'replace';
  readonly etag: string;
  /** It was not read but remembered: others may have written since. */
  readonly remembered?: true;
}

/** What became of the operation of a step. */
export type StepOutcome =
  | StoreOutcome
  /** It was not sent: values that its item refers to could not be stored. */
  | { readonly kind: 'unsent'; readonly reason: string };

/**
 * An insert most likely meets nothing: a create that succeeds saves the read. Where large values would have to be
 * stored first, the read is cheaper, since a replay then stores nothing. And a row that was written a moment ago most
 * likely is as it was.
 * @param createMissing false when only a row that is stored may be written.
 * @param known the item as this process has written it last.
 */
export function firstStep(
  row: Row,
  tombstoneSeconds: number,
  createMissing = true,
  known?: KnownItem,
): RowStep {
  const read: Read = { kind: 'read', attempted: row.changes.map(() => false) };
  if (known !== undefined) {
    const step = merge(row, read, known, tombstoneSeconds);
    // Whether there is nothing to add only the store can tell: the item may have been removed.
    if (step.kind === 'replace') return { ...step, remembered: true };
  }
  const hasInsert = row.changes.some((change) => change.newest.operation === 'INS');
  if (!hasInsert || !createMissing) return read;
  const step = writeStep(row, null, read, tombstoneSeconds);
  return step.kind === 'create' && step.values.length > 0 ? read : step;
}

/** The step after `step`, given the outcome of its operation. */
export function nextStep(
  row: Row,
  step: OpenStep,
  outcome: StepOutcome,
  tombstoneSeconds: number,
  createMissing = true,
): RowStep {
  switch (outcome.kind) {
    case 'ok':
      return step.kind === 'read' ? merge(row, step, outcome, tombstoneSeconds) : done(step);
    case 'missing':
      // Not on read: an item that was there a moment ago reached the end of its life as a tombstone.
      if (step.kind !== 'read') return readAnew(step);
      return createMissing ? writeStep(row, null, step, tombstoneSeconds) : { kind: 'withheld' };
    case 'outrun':
      return readAnew(step);
    case 'deferred':
    case 'throttled':
    case 'unsent':
      return step;
    case 'unknown':
      return step.kind === 'read'
        ? step
        : readAgain({ ...step, attempted: either(step.attempted, step.applied) });
    case 'refused':
      // What is stored may be another item by now, with which the changes make one that is taken.
      if (isRemembered(step)) return readAnew(step);
      return { kind: 'rejected', error: new DataError('refused-by-cosmos', outcome.reason) };
    default:
      return outcome satisfies never;
  }
}

/** What was remembered turned out to be old, and so what it tells of others' changes. */
function readAnew(step: OpenStep): Read {
  return readAgain(isRemembered(step) ? { attempted: step.attempted } : step);
}

function isRemembered(step: OpenStep): boolean {
  return step.kind === 'replace' && step.remembered === true;
}

/** Whether a row has come to its end. */
export function isResult(step: RowStep): step is RowResult {
  switch (step.kind) {
    case 'read':
    case 'create':
    case 'replace':
      return false;
    case 'done':
    case 'withheld':
    case 'rejected':
      return true;
    default:
      return step satisfies never;
  }
}

function merge(
  row: Row,
  step: Read,
  read: { readonly stored?: unknown; readonly etag?: string },
  tombstoneSeconds: number,
): RowStep {
  try {
    const stored = { state: fromReplicaItem(read.stored), etag: read.etag ?? '' };
    return writeStep(row, stored, step, tombstoneSeconds);
  } catch (error) {
    if (error instanceof DataError) return { kind: 'rejected', error };
    throw error;
  }
}

interface Stored {
  readonly state: RowState;
  readonly etag: string;
}

/** The write that adds the changes to what is stored, if there is anything to add. */
function writeStep(row: Row, stored: Stored | null, read: Read, tombstoneSeconds: number): RowStep {
  const { state, applied } = fold(stored?.state ?? null, row.changes);
  const attempt = attemptOf(read, stored);
  if (state === stored?.state) return done({ ...attempt, applied });
  const fitting = fittingItem(row.id, row.rules, state, tombstoneSeconds);
  if (fitting instanceof DataError) return { kind: 'rejected', error: fitting };
  const write = { ...fitting, applied, ...attempt };
  return stored === null ? { kind: 'create', ...write } : { kind: 'replace', etag: stored.etag, ...write };
}

function attemptOf({ attempted, before }: Attempt, stored: Stored | null): Attempt {
  const seen = stored === null || attempted.includes(true) ? undefined : stored.state.newest;
  return carried(attempted, before ?? seen);
}

function readAgain({ attempted, before }: Attempt): Read {
  return { kind: 'read', ...carried(attempted, before) };
}

function done({ attempted, before, applied }: Attempt & Pick<Write, 'applied'>): RowResult {
  return { kind: 'done', applied: either(attempted, applied), ...(before !== undefined && { before }) };
}

function carried(attempted: Attempt['attempted'], before: Newest | undefined): Attempt {
  return { attempted, ...(before !== undefined && { before }) };
}

function either(a: readonly boolean[], b: readonly boolean[]): readonly boolean[] {
  return b.map((value, index) => value || a[index] === true);
}
