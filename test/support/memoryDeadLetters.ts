import type { DeadLetter, DeadLetters } from '../../src/deadletter/deadLetter.ts';
import { deadLetterName } from '../../src/deadletter/deadLetterName.ts';

/** Dead letters in memory, by the name that their blobs would have. */
export class MemoryDeadLetters implements DeadLetters {
  readonly letters = new Map<string, DeadLetter>();
  /** Awaited before each letter is kept; it can throw as an outage does. */
  before: (letter: DeadLetter) => Promise<void> = async () => {};

  async put(letter: DeadLetter): Promise<void> {
    await this.before(letter);
    this.letters.set(deadLetterName(letter, new Date(0)), letter);
  }

  /** Reason codes of all letters, in the order of their names. */
  reasons(): string[] {
    return [...this.letters].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { error }]) => error.code);
  }
}
