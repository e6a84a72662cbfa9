import { block, guardedStep, throwIf } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import { literal } from './quote.ts';
import { declareRead, readAgain, readTable, throwUnlessEnabled } from './readFeed.ts';
import type { Step } from './step.ts';
import { type TableName, tableText } from './tableName.ts';

/**
 * Adds a table to its group. Parameters as in the reference of `sys.sp_add_object_to_event_stream_group` (2026-06-19).
 * Old values are sent for updates that move a row to another key; old LOB values serve nobody here.
 */
export function addTableStep({ database, group, changedColumnsOnly }: SetUpPlan, table: TableName): Step {
  const name = tableText(table);
  return guardedStep(database, `Add ${name}`, [
    throwUnlessEnabled(),
    declareRead,
    ...readTable(group, table),
    ...block(`IF @streamed = N'0'`, [
      `DECLARE @failed int;`,
      // The documentation shows plain names only; brackets, where a name needs them, are what OBJECT_ID takes.
      `EXEC @failed = sys.sp_add_object_to_event_stream_group`,
      `    @stream_group_name = ${literal(group)},`,
      `    @object_name = ${literal(name)},`,
      `    @include_all_columns = ${changedColumnsOnly ? 0 : 1},`,
      `    @include_old_values = 1,`,
      `    @include_old_lob_values = 0;`,
      throwIf(
        `@failed <> 0`,
        `${name} could not be added; see the error above. A table can be in one group only`,
      ),
      readAgain('@streamed'),
    ]),
    throwIf(`@streamed = N'0'`, `${name} was not added to the group ${group}`),
  ]);
}
