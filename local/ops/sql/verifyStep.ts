import { guardedStep } from './guard.ts';
import type { Source } from './plan.ts';
import { literal } from './quote.ts';
import type { Step } from './step.ts';

/** Errors shown. */
const SHOWN_ERRORS = 20;

/**
 * Shows what is set up and whether it works. Every procedure and view here is documented; that a message was really
 * delivered is seen in the hub only.
 */
export function verifyStep({ database, tables }: Source): Step {
  return guardedStep(database, 'Verify', [
    `-- Enabled, and why the log cannot be truncated: REPLICATION for long means that CES does not get on.`,
    `SELECT name, is_event_stream_enabled, recovery_model_desc, log_reuse_wait_desc`,
    `FROM sys.databases WHERE database_id = DB_ID();`,
    `-- The group with its destination, and its tables: state 4 is active.`,
    `EXEC sys.sp_help_change_feed_table_groups;`,
    ...tables.map(
      ({ schema, table }) =>
        `EXEC sys.sp_help_change_feed_table @source_schema = ${literal(schema)}, @source_name = ${literal(table)};`,
    ),
    `EXEC sys.sp_help_change_feed_settings;`,
    `-- After the first change of a row: sessions that read the log, and errors in delivering, which should be none.`,
    `SELECT session_id, start_time, end_time, batch_processing_phase, error_count, tran_count, command_count, latency`,
    `FROM sys.dm_change_feed_log_scan_sessions ORDER BY start_time DESC;`,
    `SELECT TOP (${SHOWN_ERRORS}) entry_time, error_number, error_message, table_id, source_task`,
    `FROM sys.dm_change_feed_errors ORDER BY entry_time DESC;`,
  ]);
}
