import type { Telemetry } from './telemetry.ts';

/** What of a run of the watermark becomes metrics, for one database. */
export interface WatermarkFigures {
  readonly db: string;
  readonly open: number;
  readonly lagSeconds: number;
  readonly late: number;
  readonly missing: number;
}

export function recordWatermarks(reports: readonly WatermarkFigures[], telemetry: Telemetry): void {
  for (const { db: database, open, lagSeconds, late, missing } of reports) {
    telemetry.set('replica.watermark_lag', lagSeconds, { database });
    telemetry.set('replica.open_transactions', open, { database });
    telemetry.add('replica.late_changes', late, { database });
    telemetry.add('replica.missing_changes', missing, { database });
  }
}
