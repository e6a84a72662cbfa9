import type { BatchOutcome } from '../pipeline.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Hands the figures of a batch over. @param partition the batch is of. @param now in milliseconds. */
export function recordBatch(
  { report, tables, warnings }: Pick<BatchOutcome, 'report' | 'tables' | 'warnings'>,
  telemetry: Telemetry,
  partition: string,
  now = Date.now(),
): void {
  for (const { table, reasons, oldestApplied, ...counts } of tables) {
    telemetry.add('replica.received', counts.received, { table });
    telemetry.add('replica.applied', counts.applied, { table });
    telemetry.add('replica.superseded', counts.superseded, { table });
    telemetry.add('replica.excluded', counts.excluded, { table });
    telemetry.add('replica.parked', counts.parked, { table });
    telemetry.add('replica.released', counts.released, { table });
    telemetry.add('replica.unparsed_values', counts.unparsedValues, { table });
    telemetry.add('replica.unknown_columns', counts.unknownColumns, { table });
    for (const [reason, count] of reasons) telemetry.add('replica.dead_lettered', count, { table, reason });
    // The clocks of the source and of this machine differ.
    if (oldestApplied !== undefined)
      telemetry.measure('replica.lag', Math.max(0, now - oldestApplied) / 1000, { table, partition });
  }
  telemetry.add('replica.request_charge', report.requestUnits, {});
  telemetry.add('replica.large_values', report.largeValues, {});
  for (const { code } of warnings) telemetry.add('replica.warnings', 1, { code });
}
