import { assert } from '../errors/bug.ts';
import type { DataError } from '../errors/dataError.ts';
import type { RowResult } from '../replica/rowStep.ts';
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
 * @param results one per row, in the same order.
 */
export function settleEvents(rows: readonly FoldedRow[], results: readonly RowResult[]): Settled {
  const applied = new Set<WholeEvent>();
  const withheld = new Set<WholeEvent>();
  const errors = new Map<WholeEvent, DataError>();
  for (const [index, row] of rows.entries()) {
    const result = results[index];
    assert(result !== undefined, 'every row has a result');
    for (const [change, event] of row.events.entries()) {
      switch (result.kind) {
        case 'rejected':
          errors.set(event, result.error);
          break;
        case 'withheld':
          withheld.add(event);
          break;
        case 'done':
          if (result.applied[change] === true) applied.add(event);
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
