import { guardedStep, throwIf } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import { literal } from './quote.ts';
import type { Step } from './step.ts';
import { quotedTable, type TableName, tableText } from './tableName.ts';

/** Types whose columns CES skips silently, besides user-defined CLR types (column-level limitations). */
const SKIPPED = [
  'geography',
  'geometry',
  'image',
  'json',
  'ntext',
  'sql_variant',
  'text',
  'timestamp',
  'vector',
  'xml',
]
  .map(literal)
  .join(', ');

/**
 * Whether CES can stream a table ("Configure change event streaming", table-level limitations, 2026-08-15), and
 * whether this app can do something with it: without a primary key it cannot.
 */
export function checkTableStep({ database }: SetUpPlan, table: TableName): Step {
  const name = tableText(table);
  const id = '@table';
  return guardedStep(database, `Check ${name}`, [
    `DECLARE ${id} int = OBJECT_ID(${literal(quotedTable(table))}, N'U');`,
    throwIf(`${id} IS NULL`, `there is no table ${name}`),
    throwIf(
      `NOT EXISTS (SELECT * FROM sys.indexes WHERE object_id = ${id} AND is_primary_key = 1)`,
      `${name} has no primary key, without which it cannot be replicated; none can be added while it is streamed`,
    ),
    throwIf(
      `EXISTS (SELECT * FROM sys.tables WHERE object_id = ${id}
    AND (is_external = 1 OR is_memory_optimized = 1 OR is_node = 1 OR is_edge = 1 OR temporal_type = 1 OR ledger_type = 1))`,
      `CES does not stream ${name}: it is an external, memory-optimized or graph table, or one of history`,
    ),
    throwIf(
      `EXISTS (SELECT * FROM sys.indexes WHERE object_id = ${id} AND type = 5)`,
      `CES does not stream ${name}: it has a clustered columnstore index`,
    ),
    throwIf(
      `EXISTS (SELECT * FROM sys.columns WHERE object_id = ${id} AND encryption_type IS NOT NULL)`,
      `CES does not stream ${name}: it has columns with Always Encrypted`,
    ),
    `DECLARE @skipped nvarchar(max) = (SELECT STRING_AGG(CAST(name AS nvarchar(max)), N', ') FROM sys.columns`,
    `    WHERE object_id = ${id} AND (TYPE_NAME(user_type_id) IN (${SKIPPED}) OR TYPE_NAME(system_type_id) IN (${SKIPPED})`,
    `        OR user_type_id IN (SELECT user_type_id FROM sys.types WHERE is_assembly_type = 1 AND is_user_defined = 1)));`,
    `IF @skipped IS NOT NULL`,
    `    PRINT CONCAT(${literal(`CES leaves these columns of ${name} out: `)}, @skipped);`,
  ]);
}
