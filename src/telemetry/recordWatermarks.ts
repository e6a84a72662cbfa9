import type { Telemetry } from './telemetry.ts';

/** What of a run of the watermark becomes metrics, for one database. */
export interface WatermarkFigures {
  readonly db: string;
  /** Commit time of the watermark, UTC; null where it is not known. */
  readonly time: string | null;
  readonly open: number;
  readonly lagSeconds: number;
  readonly late: number;
  readonly missing: number;
}

export function recordWatermarks(reports: readonly WatermarkFigures[], telemetry: Telemetry): void {
  for (const { db: database, time, open, lagSeconds, late, missing } of reports) {
    const reached = Date.parse(time ?? '');
    if (!Number.isNaN(reached)) telemetry.set('replica.watermark_time', reached / 1000, { database });
    telemetry.set('replica.watermark_lag', lagSeconds, { database });
    telemetry.set('replica.open_transactions', open, { database });
    telemetry.add('replica.late_changes', late, { database });
    telemetry.add('replica.missing_changes', missing, { database });
  }
}
