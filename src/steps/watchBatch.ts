import { tableText } from '../model/table.ts';
import type { RowEnd } from '../replica/breakUp.ts';
import type { ObservedHub } from '../warnings/observed.ts';
import type { Warning } from '../warnings/warnings.ts';
import type { Watch } from '../warnings/watch.ts';
import type { FoldedRows } from './foldRows.ts';
import type { Rejected } from './received.ts';

/**
 * Step 8: what a user should be warned of.
 * @param ends one per row, in the same order.
 * @param hub undefined where it does not matter how many partitions there are.
 */
export function watchBatch(
  { rows, notesByTable }: FoldedRows,
  ends: readonly RowEnd[],
  rejected: readonly Rejected[],
  watch: Watch,
  hub?: ObservedHub,
): readonly Warning[] {
  return watch.observe({
    rows: rows.map(({ rules, changes, events }, index) => {
      const end = ends[index];
      return {
        table: tableText(rules.table),
        changes: changes.flatMap(({ newest }, place) => {
          const change = events[place]?.change;
          return change === undefined ? [] : [{ change, position: newest }];
        }),
        before: end?.kind === 'done' ? end.before : undefined,
      };
    }),
    withoutKey: rejected.flatMap(({ error, change }) =>
      error.code === 'no-key' && change !== undefined ? [tableText(change.table)] : [],
    ),
    notes: notesByTable,
    hub,
  });
}
