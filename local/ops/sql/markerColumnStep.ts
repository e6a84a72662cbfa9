import { block, guardedStep, throwIf } from './guard.ts';
import { isMarker, markColumn } from './markerColumn.ts';
import type { SeedPlan } from './plan.ts';
import { identifier, literal } from './quote.ts';
import type { Step } from './step.ts';
import { quotedTable, type TableName, tableText } from './tableName.ts';

/**
 * Adds the column that a seed changes. CES does not block DDL, and a nullable column without a default changes no
 * row. A column that something else has added is never touched.
 */
export function markerColumnStep({ database, column }: SeedPlan, table: TableName): Step {
  const name = tableText(table);
  return guardedStep(database, `Add the column ${column} to ${name}`, [
    `SET XACT_ABORT ON;`,
    `DECLARE @table int = OBJECT_ID(${literal(quotedTable(table))}, N'U');`,
    throwIf(`@table IS NULL`, `there is no table ${name}`),
    ...block(
      `IF NOT EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = ${literal(column)})`,
      [
        `BEGIN TRANSACTION;`,
        `ALTER TABLE ${quotedTable(table)} ADD ${identifier(column)} int NULL;`,
        markColumn(table, column),
        `COMMIT TRANSACTION;`,
      ],
    ),
    throwIf(
      `NOT ${isMarker(column)}`,
      `${name} has a column ${column} that was not added for a seed; choose a name with --seed-column`,
    ),
  ]);
}
