import { buffer } from 'node:stream/consumers';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import type { LocalServers } from '../../local/run/localServers.ts';
import { readParkedName } from '../../src/parking/parkedName.ts';
import { blobContainers } from '../../src/settings/blobContainers.ts';

/** A segment in the parking container. */
export interface ParkedBlob {
  readonly name: string;
  /** Prefix of the segments of its event. */
  readonly group: string;
}

/** The parked segments; the notes of applied events are none. */
export async function parkedLeft(servers: Pick<LocalServers, 'settings'>): Promise<readonly ParkedBlob[]> {
  const blobs: ParkedBlob[] = [];
  for await (const { name } of parkedContainer(servers).listBlobsFlat()) {
    if (typeof readParkedName(name) === 'object') {
      blobs.push({ name, group: name.slice(0, name.lastIndexOf('/') + 1) });
    }
  }
  return blobs;
}

export async function readParked(
  servers: Pick<LocalServers, 'settings'>,
  { name }: ParkedBlob,
): Promise<Buffer> {
  const { readableStreamBody } = await parkedContainer(servers).getBlobClient(name).download();
  if (readableStreamBody === undefined) throw new Error('a download in Node gives a stream');
  return buffer(readableStreamBody);
}

export async function countLargeValues({ settings }: Pick<LocalServers, 'settings'>): Promise<number> {
  const service = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING);
  let count = 0;
  for await (const _ of service.getContainerClient(blobContainers.largeValues).listBlobsFlat()) count += 1;
  return count;
}

/** Removes everything from the Blob containers. */
export async function emptyBlobs({ settings }: Pick<LocalServers, 'settings'>): Promise<void> {
  const service = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING);
  for (const name of Object.values(blobContainers)) {
    const container = service.getContainerClient(name);
    for await (const blob of container.listBlobsFlat()) await container.deleteBlob(blob.name);
  }
}

function parkedContainer({ settings }: Pick<LocalServers, 'settings'>): ContainerClient {
  const service = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING);
  return service.getContainerClient(blobContainers.parked);
}
