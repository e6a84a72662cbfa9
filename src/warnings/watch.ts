import { WARNING_QUIET_MINUTES, WATCHED_SUBJECTS } from '../limits.ts';
import { LsnWentBack } from './lsnWentBack.ts';
import { morePartitions } from './morePartitions.ts';
import type { ObservedBatch } from './observed.ts';
import { OutOfOrder } from './outOfOrder.ts';
import { RecentMap } from './recentMap.ts';
import { StreamGroups } from './streamGroups.ts';
import { tableWarnings } from './tableWarnings.ts';
import { valuesAtCut } from './valueAtCut.ts';
import type { Warning } from './warnings.ts';

/** Watches the batches of one process. A warning is not repeated for {@link WARNING_QUIET_MINUTES}. */
export class Watch {
  readonly #outOfOrder = new OutOfOrder();
  readonly #streamGroups = new StreamGroups();
  readonly #lsnWentBack = new LsnWentBack();
  /** When each code and subject was last warned of, in milliseconds. */
  readonly #warned = new RecentMap<number>(WATCHED_SUBJECTS);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  observe(batch: ObservedBatch): readonly Warning[] {
    const { rows } = batch;
    return [
      ...this.#outOfOrder.observe(rows),
      ...this.#streamGroups.observe(rows),
      ...this.#lsnWentBack.observe(rows),
      ...valuesAtCut(rows),
      ...tableWarnings(batch),
      ...morePartitions(batch),
    ].filter((warning) => this.#isDue(warning));
  }

  #isDue({ code, subject }: Warning): boolean {
    const key = `${code} ${subject}`;
    const last = this.#warned.get(key);
    const now = this.#now();
    if (last !== undefined && now - last < WARNING_QUIET_MINUTES * 60_000) return false;
    this.#warned.set(key, now);
    return true;
  }
}
