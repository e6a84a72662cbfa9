import { join } from './join.ts';
import type { RowState } from './rowState.ts';

export interface Folded {
  readonly state: RowState;
  /** For each change, in the order given: whether it was newer than what was known. */
  readonly applied: readonly boolean[];
}

/**
 * Folds changes of one row into what is stored of it.
 * @param stored null when nothing is stored.
 * @param changes at least one, in any order.
 */
export function fold(stored: RowState | null, changes: readonly RowState[]): Folded {
  const applied = changes.map(() => false);
  let state = stored;
  // The result is the same in any order; ascending, each change that is new counts as applied.
  for (const index of oldestFirst(changes)) {
    const change = changes[index];
    if (change === undefined) continue;
    const next = state === null ? change : join(state, change);
    applied[index] = next !== state;
    state = next;
  }
  if (state === null) throw new RangeError('fold needs at least one change');
  return { state, applied };
}

/** The places of the changes, in ascending order of version. */
export function oldestFirst(changes: readonly RowState[]): readonly number[] {
  return changes
    .map((change, index) => ({ change, index }))
    .sort((a, b) => compare(a.change, b.change))
    .map(({ index }) => index);
}

function compare(a: RowState, b: RowState): number {
  if (a.newest.stamp === b.newest.stamp) return 0;
  return a.newest.stamp < b.newest.stamp ? -1 : 1;
}
