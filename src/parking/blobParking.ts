import { buffer } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob';
import pMap from 'p-map';
import { isBlobStatus, orOutage } from '../errors/blobErrors.ts';
import { assert } from '../errors/bug.ts';
import { BLOB_CONCURRENCY, PARKED_PAGE_BLOBS } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import type { Message, MessageSource } from '../model/message.ts';
import type { Segment } from '../model/segment.ts';
import { groupBlobs, type ListedBlob } from './groupBlobs.ts';
import { groupPrefix, readParkedName, releasedName, segmentName } from './parkedName.ts';
import type { FoundGroup, ListedSegment, ParkedGroup, Parking } from './parking.ts';

/** Parks segments in a Blob container: one blob per segment, its metadata tells where the message came from. */
export class BlobParking implements Parking {
  readonly #container: ContainerClient;
  readonly #replica: () => Promise<string>;
  readonly #pageBlobs: number;

  /**
   * @param replica what the events are applied to. An event noted as applied to another replica counts for nothing:
   * one that is built anew needs it again.
   * @param pageBlobs blobs of one page of {@link groups}.
   */
  constructor(container: ContainerClient, replica: () => Promise<string>, pageBlobs = PARKED_PAGE_BLOBS) {
    this.#container = container;
    this.#replica = replica;
    this.#pageBlobs = pageBlobs;
  }

  async park(segment: Segment, message: Message, abortSignal: AbortSignal): Promise<boolean> {
    const blob = this.#container.getBlockBlobClient(segmentName(segment.logicalId, segment.index));
    const metadata = { ...toMetadata(message.source), final: String(segment.final) };
    return orOutage('parking a segment', async () => {
      try {
        await blob.upload(message.body, message.body.length, {
          metadata,
          conditions: { ifNoneMatch: '*' },
          abortSignal,
        });
        return true;
      } catch (error) {
        if (isBlobStatus(error, 409) || isBlobStatus(error, 412)) return false;
        throw error;
      }
    });
  }

  async list(event: LogicalId, abortSignal: AbortSignal): Promise<ParkedGroup> {
    const replica = await this.#replica();
    return orOutage('listing parked segments', async () => {
      const segments: ListedSegment[] = [];
      let released = false;
      const blobs = this.#container.listBlobsFlat({
        prefix: groupPrefix(event),
        includeMetadata: true,
        abortSignal,
      });
      for await (const blob of blobs) {
        const place = readParkedName(blob.name);
        if (place === 'released') released = blob.metadata?.[REPLICA] === replica;
        else if (place !== undefined)
          segments.push({
            index: place.index,
            final: blob.metadata?.['final'] === 'true',
            bytes: blob.properties.contentLength ?? 0,
          });
      }
      return { segments, released };
    });
  }

  async fetch(event: LogicalId, index: number, abortSignal: AbortSignal): Promise<Message | undefined> {
    const blob = this.#container.getBlockBlobClient(segmentName(event, index));
    return orOutage('fetching a parked segment', async () => {
      try {
        const { readableStreamBody, metadata } = await blob.download(0, undefined, { abortSignal });
        assert(readableStreamBody !== undefined, 'a download in Node gives a stream');
        return { body: await buffer(readableStreamBody), source: toSource(metadata ?? {}) };
      } catch (error) {
        if (isBlobStatus(error, 404)) return undefined;
        throw error;
      }
    });
  }

  async markReleased(event: LogicalId, abortSignal: AbortSignal): Promise<void> {
    const blob = this.#container.getBlockBlobClient(releasedName(event));
    const metadata = { [REPLICA]: await this.#replica() };
    await orOutage('noting an applied event', () => blob.upload('', 0, { metadata, abortSignal }));
  }

  async remove(event: LogicalId, indexes: readonly number[], abortSignal: AbortSignal): Promise<void> {
    await orOutage('removing parked segments', () =>
      pMap(
        indexes,
        (index) =>
          this.#container.getBlockBlobClient(segmentName(event, index)).deleteIfExists({ abortSignal }),
        { concurrency: BLOB_CONCURRENCY },
      ),
    );
  }

  async forgetReleased(event: LogicalId, abortSignal: AbortSignal): Promise<void> {
    const blob = this.#container.getBlockBlobClient(releasedName(event));
    await orOutage('forgetting an applied event', () => blob.deleteIfExists({ abortSignal }));
  }

  groups(abortSignal: AbortSignal): AsyncIterable<FoundGroup> {
    return groupBlobs(this.#blobs(abortSignal));
  }

  async *#blobs(abortSignal: AbortSignal): AsyncGenerator<ListedBlob> {
    const pages = this.#container
      .listBlobsFlat({ includeMetadata: true, abortSignal })
      .byPage({ maxPageSize: this.#pageBlobs });
    const replica = await this.#replica();
    for (;;) {
      const page = await orOutage('listing the parking container', () => pages.next());
      if (page.done === true) return;
      for (const { name, metadata, properties } of page.value.segment.blobItems) {
        // A note on another replica is left to the lifecycle rule of the container, or to be written over.
        if (readParkedName(name) === 'released' && metadata?.[REPLICA] !== replica) continue;
        const { lastModified: modified, contentLength: bytes = 0 } = properties;
        yield { name, final: metadata?.['final'] === 'true', modified, bytes };
      }
    }
  }
}

/** Metadata of a note. */
const REPLICA = 'replica';

// Names of metadata are C# identifiers without case: the service may return them in lower case.
const sourceNames = {
  hub: 'hub',
  partition: 'partition',
  sequenceNumber: 'sequencenumber',
  offset: 'offset',
  enqueuedTime: 'enqueuedtime',
} as const satisfies Record<keyof MessageSource, string>;

const sourceKeys = Object.keys(sourceNames) as (keyof MessageSource)[];

function toMetadata(source: MessageSource): Record<string, string> {
  return Object.fromEntries(
    sourceKeys.flatMap((key) => (source[key] === undefined ? [] : [[sourceNames[key], source[key]]])),
  );
}

function toSource(metadata: Readonly<Record<string, string>>): MessageSource {
  return Object.fromEntries(
    sourceKeys.flatMap((key) => {
      const value = metadata[sourceNames[key]];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
