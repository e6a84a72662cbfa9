import type { DeadLetter, DeadLetters } from '../../src/deadletter/deadLetter.ts';
import type { DeadLetterArchive, FetchedLetter } from '../../src/deadletter/deadLetterArchive.ts';
import { deadLetterMetadata } from '../../src/deadletter/deadLetterMetadata.ts';
import { deadLetterName } from '../../src/deadletter/deadLetterName.ts';
import { type LetterFilter, passes } from '../../src/deadletter/letterFilter.ts';
import { type StoredLetter, storedLetter } from '../../src/deadletter/storedLetter.ts';

/** The container of the dead letters in memory, both sides of it, with names and metadata as blobs have them. */
export class MemoryArchive implements DeadLetters, DeadLetterArchive {
  readonly blobs = new Map<string, { readonly body: Buffer; readonly metadata: Record<string, string> }>();
  /** Awaited before each call; a test can throw in it as an outage does. */
  before: (call: string, name: string) => Promise<void> = async () => {};
  readonly pageSize = 3;

  async put(letter: DeadLetter): Promise<void> {
    const name = deadLetterName(letter, new Date(0));
    await this.before('put', name);
    this.blobs.set(name, { body: letter.message.body, metadata: deadLetterMetadata(letter) });
  }

  async *list(filter: LetterFilter): AsyncGenerator<readonly StoredLetter[]> {
    const names = this.names();
    for (let start = 0; start < names.length; start += this.pageSize) {
      await this.before('list', '');
      const letters = names.slice(start, start + this.pageSize).flatMap((name) => this.#letter(name) ?? []);
      yield letters.filter((letter) => passes(letter, filter));
    }
  }

  async fetch(name: string): Promise<FetchedLetter | undefined> {
    await this.before('fetch', name);
    return this.#letter(name);
  }

  async remove(name: string): Promise<boolean> {
    await this.before('remove', name);
    return this.blobs.delete(name);
  }

  names(): string[] {
    return [...this.blobs.keys()].sort();
  }

  #letter(name: string): FetchedLetter | undefined {
    const blob = this.blobs.get(name);
    if (blob === undefined) return undefined;
    const { body, metadata } = blob;
    return { ...storedLetter(name, { metadata, contentLength: body.length }), body };
  }
}
