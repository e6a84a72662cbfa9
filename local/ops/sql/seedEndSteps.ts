import { block, guardedStep, throwIf } from './guard.ts';
import { isMarker } from './markerColumn.ts';
import type { SeedEndPlan } from './plan.ts';
import { identifier, literal } from './quote.ts';
import type { Step } from './step.ts';
import { quotedTable, type TableName, tableText } from './tableName.ts';

/** Takes the column of a seed away again. Items of the replica keep it, unless the table has `updates: replace`. */
export function seedEndSteps(plan: SeedEndPlan): Step[] {
  return plan.tables.map((table) => dropColumnStep(plan, table));
}

function dropColumnStep({ database, column }: SeedEndPlan, table: TableName): Step {
  const name = tableText(table);
  const there = `EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = ${literal(column)})`;
  return guardedStep(database, `Drop the column ${column} of ${name}`, [
    `-- Run this when the replica has caught up: how events that wait in the log look afterwards is not documented.`,
    `DECLARE @table int = OBJECT_ID(${literal(quotedTable(table))}, N'U');`,
    throwIf(`@table IS NULL`, `there is no table ${name}`),
    ...block(`IF ${there}`, [
      throwIf(
        `NOT ${isMarker(column)}`,
        `the column ${column} of ${name} was not added for a seed, and stays`,
      ),
      `ALTER TABLE ${quotedTable(table)} DROP COLUMN ${identifier(column)};`,
    ]),
    throwIf(there, `the column ${column} was not dropped`),
  ]);
}
