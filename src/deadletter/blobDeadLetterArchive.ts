import { buffer } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob';
import { isBlobStatus, orOutage } from '../errors/blobErrors.ts';
import { assert } from '../errors/bug.ts';
import { LETTERS_PER_PAGE } from '../limits.ts';
import type { DeadLetterArchive, FetchedLetter } from './deadLetterArchive.ts';
import { type LetterFilter, namePrefix, passes } from './letterFilter.ts';
import { type StoredLetter, storedLetter } from './storedLetter.ts';

/** Reads and clears the Blob container of the dead letters. */
export class BlobDeadLetterArchive implements DeadLetterArchive {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async *list(filter: LetterFilter, abortSignal: AbortSignal): AsyncGenerator<readonly StoredLetter[]> {
    const pages = this.#container
      .listBlobsFlat({ prefix: namePrefix(filter), includeMetadata: true, abortSignal })
      .byPage({ maxPageSize: LETTERS_PER_PAGE });
    for (;;) {
      const page = await orOutage('listing dead letters', () => pages.next(), TRY_AGAIN);
      if (page.done) return;
      yield page.value.segment.blobItems
        .map(({ name, metadata, properties: { lastModified, contentLength } }) =>
          storedLetter(name, { metadata, lastModified, contentLength }),
        )
        .filter((letter) => passes(letter, filter));
    }
  }

  async fetch(name: string, abortSignal: AbortSignal): Promise<FetchedLetter | undefined> {
    const blob = this.#container.getBlockBlobClient(name);
    const fetchIt = async (): Promise<FetchedLetter | undefined> => {
      try {
        const { readableStreamBody, metadata, lastModified } = await blob.download(0, undefined, {
          abortSignal,
        });
        assert(readableStreamBody !== undefined, 'a download in Node gives a stream');
        const body = await buffer(readableStreamBody);
        return { ...storedLetter(name, { metadata, lastModified, contentLength: body.length }), body };
      } catch (error) {
        if (isBlobStatus(error, 404) && !isContainerMissing(error)) return undefined;
        throw error;
      }
    };
    return orOutage('fetching a dead letter', fetchIt, TRY_AGAIN);
  }

  async remove(name: string, abortSignal: AbortSignal): Promise<boolean> {
    const blob = this.#container.getBlockBlobClient(name);
    const { succeeded } = await orOutage(
      'removing a dead letter',
      () => blob.deleteIfExists({ abortSignal }),
      TRY_AGAIN,
    );
    return succeeded;
  }
}

const TRY_AGAIN = 'try again';

function isContainerMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ContainerNotFound';
}
