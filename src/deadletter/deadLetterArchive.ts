import type { LetterFilter } from './letterFilter.ts';
import type { StoredLetter } from './storedLetter.ts';

/** The dead letters that were kept: the side of the container that an operator works with. */
export interface DeadLetterArchive {
  /** In the order of their names, so by day and then by reason, page by page. A page can be empty. */
  list(filter: LetterFilter, signal: AbortSignal): AsyncIterable<readonly StoredLetter[]>;
  /** Undefined when there is none of this name, or not any more. */
  fetch(name: string, signal: AbortSignal): Promise<FetchedLetter | undefined>;
  /** @returns false when it was gone already. */
  remove(name: string, signal: AbortSignal): Promise<boolean>;
}

export interface FetchedLetter extends StoredLetter {
  /** The message as it was received. */
  readonly body: Buffer;
}
