import type { FoundGroup } from '../parking/parking.ts';
import type { SweepReport } from './sweepReport.ts';
import type { SweptFate, SweptGroup } from './sweptGroup.ts';

/** Counts what a sweep does, event by event. */
export class SweepTally {
  readonly #now: Date;
  readonly #fates: Record<SweptFate, number> = {
    waiting: 0,
    applied: 0,
    superseded: 0,
    deadLettered: 0,
    released: 0,
    gone: 0,
    forgotten: 0,
    remembered: 0,
  };
  #oldestSeconds = 0;
  #letters = 0;

  constructor(now: Date) {
    this.#now = now;
  }

  add({ segments }: FoundGroup, { fate, letters }: SweptGroup): void {
    this.#fates[fate] += 1;
    this.#letters += letters.length;
    for (const { parkedAt } of segments) {
      const seconds = (this.#now.getTime() - parkedAt.getTime()) / 1000;
      this.#oldestSeconds = Math.max(this.#oldestSeconds, Math.round(seconds));
    }
  }

  report(finished: boolean): SweepReport {
    const { waiting, applied, superseded, deadLettered, released, gone, forgotten } = this.#fates;
    const groups = waiting + applied + superseded + deadLettered + released + gone;
    return {
      groups,
      oldestSeconds: this.#oldestSeconds,
      waiting,
      applied,
      superseded,
      deadLettered,
      released,
      gone,
      forgotten,
      letters: this.#letters,
      finished,
    };
  }
}
