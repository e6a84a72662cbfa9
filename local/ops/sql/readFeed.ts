import { block, throwIf } from './guard.ts';
import { MOST_HELPER_COLUMNS } from './limits.ts';
import { dynamicSql, expression, literal } from './quote.ts';
import type { TableName } from './tableName.ts';

/** Columns that every published version of both helpers returns at least (their reference pages). */
const LEAST_HELPER_COLUMNS = 8;

/** What {@link readGroup} and {@link readTable} need, once in a batch. */
export const declareRead =
  'DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);';

/** Whether CES is on; the helpers cannot be called before. */
export const ENABLED =
  'EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)';

/** Ends the batch unless CES is on. */
export function throwUnlessEnabled(): string {
  return throwIf(`NOT ${ENABLED}`, 'change event streaming is not enabled in this database');
}

/**
 * Puts the destination of a stream group into `@location`; NULL where there is no such group.
 *
 * CES has no catalog view of groups, so this reads `sys.sp_help_change_feed_table_groups`. Builds differ in how many
 * columns it returns (8 documented, 11 in SQL Server 2025, 18 seen in Fabric), but not in the first four: id, name,
 * destination_location, destination_credential. INSERT ... EXEC needs the very number, so each is tried.
 */
export function readGroup(group: string): string[] {
  return readGroups(`c2 = ${literal(group)}`);
}

/**
 * Puts the destination of any group of CES into `@location`. Fabric mirroring has groups, too, of another type: CES
 * has 1, in column 6 or, after a workspace's id and name, in column 8 (seen in the procedures; not documented).
 */
export function readAnyGroup(): string[] {
  return readGroups("CASE WHEN c6 LIKE N'[0-9]' THEN c6 ELSE c8 END = N'1'");
}

function readGroups(which: string): string[] {
  const result = `SET @result = (SELECT MAX(c3) FROM @read WHERE ${which});`;
  return readHelper('EXEC sys.sp_help_change_feed_table_groups;', result, '@location');
}

/**
 * Puts into `@streamed` how many times a table is in a stream group: 0 or 1.
 *
 * Reads `sys.sp_help_change_feed_table`; its first six columns are the same everywhere: group id, group name, schema,
 * table, table id, destination. The state comes next, or after a workspace id. Tables that were taken out can stay
 * listed with the states 5 (disabled) and 6 (about to be). `sys.tables.is_replicated` does not do instead: mirroring
 * sets it as well.
 */
export function readTable(group: string, { schema, table }: TableName): string[] {
  const call = `EXEC sys.sp_help_change_feed_table @source_schema = ${literal(schema)}, @source_name = ${literal(table)};`;
  const state = "CASE WHEN c7 LIKE N'[0-9]' THEN c7 ELSE c8 END";
  const result = `SET @result = (SELECT COUNT(*) FROM @read WHERE c2 = ${literal(group)} AND ${state} NOT IN (N'5', N'6'));`;
  return readHelper(call, result, '@streamed');
}

/** Reads the same again into the same variable: `@sql` is the statement that went through. */
export function readAgain(variable: '@location' | '@streamed'): string {
  return `EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = ${variable} OUTPUT;`;
}

function readHelper(call: string, result: string, variable: '@location' | '@streamed'): string[] {
  const statement = dynamicSql`DECLARE @read TABLE (${expression('@columns')}); INSERT @read ${call} ${result}`;
  const first = Array.from({ length: LEAST_HELPER_COLUMNS }, (_, index) => `c${index + 1} nvarchar(4000)`);
  return [
    `SELECT @columns = ${literal(first.join(', '))}, @width = ${LEAST_HELPER_COLUMNS};`,
    ...block(`WHILE 1 = 1`, [
      `SET @sql = ${statement};`,
      `BEGIN TRY`,
      `    ${readAgain(variable)}`,
      `    BREAK;`,
      `END TRY`,
      `BEGIN CATCH`,
      `    -- 213: another number of columns`,
      `    IF ERROR_NUMBER() <> 213 OR @width = ${MOST_HELPER_COLUMNS}`,
      `        THROW;`,
      `    SET @width += 1;`,
      `    SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');`,
      `END CATCH;`,
    ]),
  ];
}
