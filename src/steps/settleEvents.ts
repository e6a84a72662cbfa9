import { assert } from '../errors/bug.ts';
import type { DataError } from '../errors/dataError.ts';
import type { RowEnd } from '../replica/breakUp.ts';
import type { FoldedRow } from './foldRows.ts';
import type { Rejected, WholeEvent } from './received.ts';

export interface Settled {
  readonly applied: readonly WholeEvent[];
  /** Nothing of the event was newer than what the replica had. */
  readonly superseded: readonly WholeEvent[];
  /** A row of the event is not stored and could not be created; others of its rows may have been written. */
  readonly withheld: readonly WholeEvent[];
  readonly rejected: readonly Rejected[];
}

/**
 * Step 5: says of each event how it ended, from how its rows ended.
 * @param ends one per row, in the same order.
 */
export function settleEvents(rows: readonly FoldedRow[], ends: readonly RowEnd[]): Settled {
  const applied = new Set<WholeEvent>();
  const withheld = new Set<WholeEvent>();
  const errors = new Map<WholeEvent, DataError>();
  for (const [index, row] of rows.entries()) {
    const end = ends[index];
    assert(end !== undefined, 'every row has an end');
    for (const [change, event] of row.events.entries()) {
      // Apart, each result is that of a single change.
      const [result, place] = end.kind === 'apart' ? [end.results[change], 0] : [end, change];
      assert(result !== undefined, 'every change has a result');
      switch (result.kind) {
        case 'rejected':
          errors.set(event, result.error);
          break;
        case 'withheld':
          withheld.add(event);
          break;
        case 'done':
          if (result.applied[place] === true) applied.add(event);
          break;
        default:
          result satisfies never;
      }
    }
  }
  const events = [...new Set(rows.flatMap((row) => row.events))];
  const notRejected = events.filter((event) => !errors.has(event));
  const accepted = notRejected.filter((event) => !withheld.has(event));
  return {
    applied: accepted.filter((event) => applied.has(event)),
    superseded: accepted.filter((event) => !applied.has(event)),
    withheld: notRejected.filter((event) => withheld.has(event)),
    rejected: [...errors].map(([event, error]) => ({ ...event, error })),
  };
}
