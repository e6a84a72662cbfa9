import { block, guardedStep, note, throwIf } from './guard.ts';
import type { DisablePlan } from './plan.ts';
import { literal } from './quote.ts';
import { declareRead, ENABLED, readAgain, readAnyGroup, readGroup, readTable } from './readFeed.ts';
import type { Step } from './step.ts';
import { type TableName, tableText } from './tableName.ts';

/**
 * Takes the tables out of the group, drops it, and turns CES off unless other groups are left. Changes that are in
 * the log and not sent yet are lost with that ("Deprecation of AMQP protocol", moving tables). The credential and the
 * master key stay: they may serve others.
 */
export function disableSteps(plan: DisablePlan): Step[] {
  return [
    lookStep(plan),
    ...plan.tables.map((table) => removeTableStep(plan, table)),
    dropGroupStep(plan),
    turnOffStep(plan),
  ];
}

function lookStep({ database }: DisablePlan): Step {
  return guardedStep(database, 'See what is not sent yet', [
    `-- What is in the log and not sent yet when a table is taken out is never sent. Stop writing to the tables, and go on`,
    `-- when the latest sessions have ended and found nothing (tran_count 0).`,
    `SELECT TOP (5) session_id, start_time, end_time, batch_processing_phase, tran_count, command_count, latency`,
    `FROM sys.dm_change_feed_log_scan_sessions ORDER BY start_time DESC;`,
  ]);
}

function removeTableStep({ database, group }: DisablePlan, table: TableName): Step {
  const name = tableText(table);
  return guardedStep(
    database,
    `Take ${name} out`,
    whileEnabled([
      ...readTable(group, table),
      ...block(`IF @streamed <> N'0'`, [
        `DECLARE @failed int;`,
        `EXEC @failed = sys.sp_remove_object_from_event_stream_group`,
        `    @stream_group_name = ${literal(group)},`,
        `    @object_name = ${literal(name)};`,
        throwIf(`@failed <> 0`, `${name} could not be taken out; see the error above`),
        readAgain('@streamed'),
        throwIf(`@streamed <> N'0'`, `${name} is still in the group ${group}`),
      ]),
    ]),
  );
}

function dropGroupStep({ database, group }: DisablePlan): Step {
  return guardedStep(
    database,
    `Drop the stream group ${group}`,
    whileEnabled([
      ...readGroup(group),
      ...block(`IF @location IS NOT NULL`, [
        `-- Fails while tables are in it that were not named.`,
        `DECLARE @failed int;`,
        `EXEC @failed = sys.sp_drop_event_stream_group @stream_group_name = ${literal(group)};`,
        throwIf(`@failed <> 0`, `the group ${group} could not be dropped; see the error above`),
        readAgain('@location'),
        throwIf(`@location IS NOT NULL`, `the group ${group} is still there`),
      ]),
    ]),
  );
}

function turnOffStep({ database }: DisablePlan): Step {
  return guardedStep(
    database,
    'Disable change event streaming',
    whileEnabled([
      `-- This would take all other groups with it.`,
      ...readAnyGroup(),
      `IF @location IS NOT NULL`,
      `    ${note('Other stream groups are left in the database, so change event streaming stays enabled.')}`,
      ...block('ELSE', [
        `DECLARE @failed int;`,
        `EXEC @failed = sys.sp_disable_event_stream;`,
        throwIf(
          `@failed <> 0 OR ${ENABLED}`,
          'change event streaming could not be disabled; see the error above',
        ),
      ]),
    ]),
  );
}

function whileEnabled(lines: readonly string[]): string[] {
  return block(`IF ${ENABLED}`, [declareRead, ...lines]);
}
