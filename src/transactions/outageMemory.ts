import { MISSED_RUNS_MS } from '../limits.ts';

/**
 * Remembers when runs of the watermark could not read how far the partitions are. Batches could not be recorded then,
 * nor the marks of those that failed: the partitions seemed silent, and were not. One lives as long as the process.
 */
export class OutageMemory {
  #wentWell: number | undefined;
  #over = 0;

  /**
   * A run has read the partitions.
   * @param now in milliseconds.
   * @returns when the last outage was over, in milliseconds: silence counts from there. 0 before the first.
   */
  runs(now: number): number {
    if (this.#wentWell !== undefined && now - this.#wentWell >= MISSED_RUNS_MS) this.#over = now;
    this.#wentWell = now;
    return this.#over;
  }
}
