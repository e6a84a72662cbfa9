import { BATCH_BYTES, BATCH_LETTERS } from './limits.ts';
import type { Replayable } from './replayable.ts';

/** Collects letters until they make a batch. Letters that are added together stay together. */
export class ReplayLane {
  readonly #run: (letters: readonly Replayable[]) => Promise<void>;
  #letters: Replayable[] = [];
  #bytes = 0;

  constructor(run: (letters: readonly Replayable[]) => Promise<void>) {
    this.#run = run;
  }

  async add(letters: readonly Replayable[]): Promise<void> {
    const bytes = letters.reduce((sum, { message }) => sum + message.body.length, 0);
    const fits = this.#letters.length + letters.length <= BATCH_LETTERS && this.#bytes + bytes <= BATCH_BYTES;
    if (!fits) await this.finish();
    this.#letters.push(...letters);
    this.#bytes += bytes;
  }

  /** Runs what is left. */
  async finish(): Promise<void> {
    const letters = this.#letters;
    this.#letters = [];
    this.#bytes = 0;
    if (letters.length > 0) await this.#run(letters);
  }
}
