import { OutageError } from '../errors/outageError.ts';
import type { WatermarkReport } from './moveWatermark.ts';

/** Some databases could not be looked at; the others were, and nothing of them is lost. */
export class SomeWatermarksFailed extends OutageError {
  /** Of the others. */
  readonly reports: readonly WatermarkReport[];
  /** All of them. */
  readonly databases: readonly string[];

  /** @param failures at least one. */
  constructor(
    reports: readonly WatermarkReport[],
    databases: readonly string[],
    failures: readonly { readonly db: string; readonly error: unknown }[],
  ) {
    const [{ db, error } = { db: '', error: undefined }] = failures;
    const reason = error instanceof Error ? error.message : typeof error;
    const others = failures.length === 1 ? '' : ` (and ${failures.length - 1} more of ${databases.length})`;
    super(`the watermark of ${db}${others} stays where it is: ${reason}`, { cause: error });
    this.reports = reports;
    this.databases = databases;
  }
}
