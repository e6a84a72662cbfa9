import { guardedStep, note, throwIf } from './guard.ts';
import { SEED_PAUSE_S } from './limits.ts';
import { isMarker } from './markerColumn.ts';
import type { SeedPlan } from './plan.ts';
import { dynamicSql, expression, identifier, literal } from './quote.ts';
import { declareRead, readTable, throwUnlessEnabled } from './readFeed.ts';
import type { Step } from './step.ts';
import { quotedTable, type TableName, tableText } from './tableName.ts';

/**
 * Changes every row of a table once, a range of the primary key after the other, each statement a transaction of its
 * own. Rows that have the number of the seed are left alone, so that a run which was stopped is taken up again.
 *
 * An update that sets a column to the value it has will not do: SQL Server mostly does not log such a row (Paul
 * White, "The Impact of Non-Updating Updates"), and CES reads the log. CES documents nothing about it.
 */
export function seedTableStep({ database, group, column, number, rows }: SeedPlan, table: TableName): Step {
  const name = tableText(table);
  const marker = identifier(column);
  return guardedStep(database, `Send the rows of ${name}`, [
    `-- Each row becomes one update event with all of its columns. Needs @include_all_columns = 1 for the table: with 0`,
    `-- the event has the key and ${marker} only, and nothing is seeded.`,
    `-- Other changes can go on meanwhile: every event has its place in the log, and the newest one wins.`,
    throwUnlessEnabled(),
    declareRead,
    `DECLARE @table int = OBJECT_ID(${literal(quotedTable(table))}, N'U');`,
    throwIf(
      `@table IS NULL OR NOT ${isMarker(column)}`,
      `run the step before first: ${name} has no column ${column}`,
    ),
    ...readTable(group, table),
    throwIf(`@streamed = N'0'`, `${name} is not in the group ${group}`),
    `IF EXISTS (SELECT * FROM sys.triggers AS t JOIN sys.trigger_events AS e ON e.object_id = t.object_id`,
    `    WHERE t.parent_id = @table AND t.is_disabled = 0 AND e.type_desc = N'UPDATE')`,
    `    ${note(`${name} has triggers for updates: they run for every row.`)}`,
    `IF EXISTS (SELECT * FROM sys.tables WHERE object_id = @table AND temporal_type = 2)`,
    `    ${note(`${name} is system-versioned: every row goes into its history once more.`)}`,
    ...keyColumn(),
    `SET @sql = ${loop(table, marker, number)};`,
    `EXEC sys.sp_executesql @sql, N'@rows int', @rows = ${rows};`,
  ]);
}

/** Name and type of the first column of the primary key, along which the ranges are cut. */
function keyColumn(): string[] {
  return [
    `DECLARE @key nvarchar(300), @type nvarchar(300);`,
    `SELECT @key = QUOTENAME(c.name), @type = TYPE_NAME(c.system_type_id) + CASE`,
    `        WHEN TYPE_NAME(c.system_type_id) IN (N'nchar', N'nvarchar') THEN CONCAT(N'(', c.max_length / 2, N')')`,
    `        WHEN TYPE_NAME(c.system_type_id) IN (N'binary', N'char', N'varbinary', N'varchar') THEN CONCAT(N'(', c.max_length, N')')`,
    `        WHEN TYPE_NAME(c.system_type_id) IN (N'decimal', N'numeric') THEN CONCAT(N'(', c.precision, N', ', c.scale, N')')`,
    `        WHEN TYPE_NAME(c.system_type_id) IN (N'datetime2', N'datetimeoffset', N'time') THEN CONCAT(N'(', c.scale, N')')`,
    `        ELSE N'' END`,
    `FROM sys.indexes AS i`,
    `JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal = 1`,
    `JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id`,
    `WHERE i.object_id = @table AND i.is_primary_key = 1;`,
    throwIf(`@type IS NULL`, 'the table has no primary key, or one of a type that has no order'),
  ];
}

/** The loop, as dynamic SQL, since its variables have the type of the key. */
function loop(table: TableName, marker: string, number: number): string {
  const [key, type] = [expression('@key'), expression('@type')];
  const from = quotedTable(table);
  const stop = throwIf(
    'EXISTS (SELECT * FROM sys.dm_change_feed_errors WHERE entry_time > @started)',
    'CES reports errors since this seed has begun: see sys.dm_change_feed_errors, then run it again, and it goes on',
  );
  return dynamicSql`
DECLARE @from ${type}, @to ${type}, @changed int, @started datetime = GETDATE();
SET @from = (SELECT TOP (1) ${key} FROM ${from} ORDER BY ${key});
WHILE @from IS NOT NULL
BEGIN
    SET @to = (SELECT TOP (1) k FROM (SELECT TOP (@rows) ${key} AS k FROM ${from} WHERE ${key} >= @from ORDER BY ${key}) AS r ORDER BY k DESC);
    SET @changed = @rows;
    -- More than once where many rows have the same first column of the key.
    WHILE @changed = @rows
    BEGIN
        UPDATE TOP (@rows) ${from} SET ${marker} = ${String(number)}
        WHERE ${key} >= @from AND ${key} <= @to AND (${marker} IS NULL OR ${marker} <> ${String(number)});
        SET @changed = @@ROWCOUNT;
        -- A throughput unit of the hub takes 1,000 events a second, and CES holds the log while it waits for the hub.
        IF @changed > 0
            WAITFOR DELAY '${pause()}';
    END;
${stop.replace(/^/gm, '    ')}
    SET @from = (SELECT TOP (1) ${key} FROM ${from} WHERE ${key} > @to ORDER BY ${key});
END;
`;
}

function pause(): string {
  return `00:00:${String(SEED_PAUSE_S).padStart(2, '0')}`;
}
