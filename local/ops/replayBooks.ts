import { FAILED_BATCHES } from './limits.ts';
import type { DeadAgain, Failure, ReplayCounts, ReplayReport } from './replayReport.ts';
import type { Selected } from './selectNames.ts';

/** Keeps the books of a replay, and says when it makes no sense to go on. */
export class ReplayBooks {
  readonly #selected: Selected;
  readonly #onProgress: (done: number) => void;
  readonly #counts = { applied: 0, superseded: 0, excluded: 0, parked: 0 };
  readonly #withheld: string[] = [];
  readonly #deadAgain: DeadAgain[] = [];
  readonly #gone: string[] = [];
  readonly #failed: Failure[] = [];
  #done = 0;
  #failuresInARow = 0;

  constructor(selected: Selected, onProgress: (done: number) => void) {
    this.#selected = selected;
    this.#onProgress = onProgress;
  }

  /** As many batches in a row have failed as say that something is wrong with more than the letters. */
  get gaveUp(): boolean {
    return this.#failuresInARow >= FAILED_BATCHES;
  }

  /** Runs a batch and enters how its letters ended; one that fails does not end the replay. */
  async enter(names: readonly string[], batch: () => Promise<ReplayCounts>): Promise<void> {
    try {
      const { applied, superseded, excluded, parked, withheld, deadAgain } = await batch();
      this.#counts.applied += applied;
      this.#counts.superseded += superseded;
      this.#counts.excluded += excluded;
      this.#counts.parked += parked;
      this.#withheld.push(...withheld);
      this.#deadAgain.push(...deadAgain);
      this.#failuresInARow = 0;
      this.#advance(names.length);
    } catch (error) {
      this.failed(names, error);
    }
  }

  gone(name: string): void {
    this.#gone.push(name);
    this.#advance(1);
  }

  failed(names: readonly string[], error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    // Said for the trigger, to which it does come again.
    this.#failed.push({ names, error: text.replace('; the batch comes again', '') });
    this.#failuresInARow += 1;
    this.#advance(names.length);
  }

  close(): ReplayReport {
    const { names, named, more } = this.#selected;
    return {
      letters: names.length,
      ...this.#counts,
      withheld: this.#withheld,
      deadAgain: this.#deadAgain,
      gone: this.#gone,
      failed: this.#failed,
      notTried: names.length - this.#done,
      named,
      more,
    };
  }

  #advance(letters: number): void {
    this.#done += letters;
    this.#onProgress(this.#done);
  }
}
