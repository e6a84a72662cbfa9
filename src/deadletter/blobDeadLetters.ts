import type { ContainerClient } from '@azure/storage-blob';
import { orOutage } from '../errors/blobErrors.ts';
import type { DeadLetter, DeadLetters } from './deadLetter.ts';
import { deadLetterMetadata } from './deadLetterMetadata.ts';
import { deadLetterName } from './deadLetterName.ts';

/** Keeps dead letters in a Blob container: the original bytes, with the reason as metadata. */
export class BlobDeadLetters implements DeadLetters {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async put(letter: DeadLetter, abortSignal: AbortSignal): Promise<void> {
    const { body } = letter.message;
    const blob = this.#container.getBlockBlobClient(deadLetterName(letter, new Date()));
    const metadata = deadLetterMetadata(letter);
    await orOutage('putting a dead letter', () => blob.upload(body, body.length, { metadata, abortSignal }));
  }
}
