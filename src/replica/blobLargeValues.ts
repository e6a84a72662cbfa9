import type { BlobUploadCommonResponse, BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { isBlobStatus, orOutage } from '../errors/blobErrors.ts';
import { LARGE_VALUE_PAGE_BLOBS } from '../limits.ts';
import type { DocumentId } from './documentId.ts';
import type { FoundValue, LargeValue, LargeValues } from './largeValues.ts';

/** Keeps large values in a Blob container: one blob each, its metadata tells the id of the row. */
export class BlobLargeValues implements LargeValues {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async create(value: LargeValue, abortSignal: AbortSignal): Promise<boolean> {
    return orOutage('storing a large value', async () => {
      try {
        await this.#upload(value, { conditions: { ifNoneMatch: '*' }, abortSignal });
        return true;
      } catch (error) {
        if (isBlobStatus(error, 409) || isBlobStatus(error, 412)) return false;
        throw error;
      }
    });
  }

  async age(name: string, abortSignal: AbortSignal): Promise<number | undefined> {
    return orOutage('looking for a large value', async () => {
      try {
        const { date, lastModified } = await this.#blob(name).getProperties({ abortSignal });
        return secondsBetween(lastModified, date) ?? Number.POSITIVE_INFINITY;
      } catch (error) {
        if (isBlobStatus(error, 404)) return undefined;
        throw error;
      }
    });
  }

  async renew(value: LargeValue, abortSignal: AbortSignal): Promise<void> {
    await orOutage('renewing a large value', () => this.#upload(value, { abortSignal }));
  }

  async *list(prefix: string, abortSignal: AbortSignal): AsyncGenerator<readonly FoundValue[]> {
    const pages = this.#container
      .listBlobsFlat({ prefix, includeMetadata: true, abortSignal })
      .byPage({ maxPageSize: LARGE_VALUE_PAGE_BLOBS });
    for (;;) {
      const page = await orOutage('listing large values', () => pages.next(), 'the next sweep goes on');
      if (page.done === true) return;
      const { date, segment } = page.value;
      yield segment.blobItems.flatMap(({ name, metadata, properties: { etag, lastModified } }) => {
        const id = metadata?.[ID];
        if (id === undefined) return [];
        const ageSeconds = secondsBetween(lastModified, date) ?? 0;
        return [{ name, id: id as DocumentId, etag: quoted(etag), ageSeconds }];
      });
    }
  }

  async remove({ name, etag }: FoundValue, abortSignal: AbortSignal): Promise<boolean> {
    return orOutage(
      'removing a large value',
      async () => {
        try {
          await this.#blob(name).delete({ conditions: { ifMatch: etag }, abortSignal });
          return true;
        } catch (error) {
          if (isBlobStatus(error, 404) || isBlobStatus(error, 412)) return false;
          throw error;
        }
      },
      'the next sweep goes on',
    );
  }

  #upload(
    { name, id, text }: LargeValue,
    options: Pick<NonNullable<Parameters<BlockBlobClient['upload']>[2]>, 'conditions' | 'abortSignal'>,
  ): Promise<BlobUploadCommonResponse> {
    return this.#blob(name).upload(text, Buffer.byteLength(text), {
      metadata: { [ID]: id },
      blobHTTPHeaders: { blobContentType: 'text/plain; charset=utf-8' },
      ...options,
    });
  }

  #blob(name: string): BlockBlobClient {
    return this.#container.getBlockBlobClient(name);
  }
}

/** Metadata of a value; ids are ASCII and shorter than a header may be. */
const ID = 'id';

/** A list tells etags without the quotes that a condition has to have. */
function quoted(etag: string): string {
  return etag.startsWith('"') ? etag : `"${etag}"`;
}

/** Both are the storage's; undefined when it did not tell. */
function secondsBetween(from: Date | undefined, to: Date | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : (to.getTime() - from.getTime()) / 1000;
}
