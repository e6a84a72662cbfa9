import pMap from 'p-map';
import { assert } from '../errors/bug.ts';
import type { ReasonCode } from '../errors/dataErrors.ts';
import { COSMOS_CONCURRENCY } from '../limits.ts';
import { oldestFirst } from './fold.ts';
import type { Row, RowResult } from './rowStep.ts';

/** How the changes of a row ended: together, or each on its own, in the order of the changes. */
export type RowEnd = RowResult | { readonly kind: 'apart'; readonly results: readonly RowResult[] };

/**
 * Applies the changes of every row that was refused one by one, oldest first, so that only those are rejected
 * that make the item unacceptable.
 * @param results one per row, in the same order.
 */
export async function breakUp(
  rows: readonly Row[],
  results: readonly RowResult[],
  apply: (rows: readonly Row[]) => Promise<readonly RowResult[]>,
): Promise<readonly RowEnd[]> {
  return pMap(
    rows,
    async (row, index): Promise<RowEnd> => {
      const result = results[index];
      assert(result !== undefined, 'every row has a result');
      if (result.kind !== 'rejected' || row.changes.length === 1 || !mayBeOneChange(result.error.code)) {
        return result;
      }
      const apart: RowResult[] = row.changes.map(() => result);
      for (const place of oldestFirst(row.changes)) {
        const [end] = await apply([{ ...row, changes: row.changes.slice(place, place + 1) }]);
        if (end !== undefined) apart[place] = end;
      }
      return { kind: 'apart', results: apart };
    },
    { concurrency: COSMOS_CONCURRENCY },
  );
}

/** Whether a single change may be the reason; an item of someone else refuses them all. */
function mayBeOneChange(code: ReasonCode): boolean {
  return code === 'refused-by-cosmos' || code === 'item-too-large';
}
