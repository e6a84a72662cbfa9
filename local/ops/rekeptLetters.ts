import type { DeadLetter, DeadLetters } from '../../src/deadletter/deadLetter.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import type { Message } from '../../src/model/message.ts';
import type { Replayable } from './replayable.ts';

/**
 * Dead letters of a replay. A message that fails for the reason it has failed for before is kept already, where it
 * lies; with another reason it is kept anew, and the old letter can go.
 */
export class RekeptLetters implements DeadLetters {
  readonly #replayed: ReadonlyMap<Message, Replayable>;
  readonly #inner: DeadLetters;
  readonly #reasons = new Map<Replayable, ReasonCode>();

  constructor(letters: readonly Replayable[], inner: DeadLetters) {
    this.#replayed = new Map(letters.map((letter) => [letter.message, letter]));
    this.#inner = inner;
  }

  async put(letter: DeadLetter, signal: AbortSignal): Promise<void> {
    const replayed = this.#replayed.get(letter.message);
    if (replayed?.reason !== letter.error.code) await this.#inner.put(letter, signal);
    if (replayed !== undefined) this.#reasons.set(replayed, letter.error.code);
  }

  /** The reason a letter failed for this time; undefined when it did not. */
  reasonOf(letter: Replayable): ReasonCode | undefined {
    return this.#reasons.get(letter);
  }
}
