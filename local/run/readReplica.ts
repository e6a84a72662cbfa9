import { BulkOperationType, type Container, CosmosClient } from '@azure/cosmos';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { resolveLargeValues, type WithRow } from '../../src/replica/resolveLargeValues.ts';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import type { LocalServers } from './localServers.ts';
import type { StoredItem } from './storedItem.ts';

/** Ids asked for in one page of the query. */
const PAGE_IDS = 1000;
/** Items read at a time: the most that a bulk request may hold. */
const BULK_READS = 100;

/** Every item of the replica, live rows and tombstones, in whatever container it is. */
export async function readReplica(
  servers: Pick<LocalServers, 'settings' | 'otherContainers'>,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for (const name of [servers.settings.COSMOS_CONTAINER, ...servers.otherContainers])
    items.push(...(await readContainer(servers, name)));
  return items;
}

/**
 * Every item of one container, with the texts that do not fit into an item. A query finds the ids and the items are
 * then read by id, because the local server's queries leave out properties called `__proto__`.
 */
export async function readContainer(
  { settings }: Pick<LocalServers, 'settings'>,
  name: string,
): Promise<StoredItem[]> {
  const client = new CosmosClient({
    endpoint: settings.COSMOS_ENDPOINT,
    key: settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  try {
    const container = client.database(settings.COSMOS_DATABASE).container(name);
    const pages = container.items.query<string>('SELECT VALUE c.id FROM c', { maxItemCount: PAGE_IDS });
    const values = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING);
    const texts = values.getContainerClient(blobContainers.largeValues);
    const items: StoredItem[] = [];
    for await (const { resources } of pages.getAsyncIterator()) {
      const stored = await readItems(container, resources);
      items.push(...(await Promise.all(stored.map((item) => withTexts(item, texts)))));
    }
    return items;
  } finally {
    client.dispose();
  }
}

/** Whether the texts are those of the source is for the comparison to say; here they only have to be there. */
async function withTexts(item: StoredItem, texts: ContainerClient): Promise<StoredItem> {
  const read = (name: string) => texts.getBlobClient(name).downloadToBuffer();
  return resolveLargeValues(item as StoredItem & WithRow, read);
}

async function readItems(container: Container, ids: readonly string[]): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for (let start = 0; start < ids.length; start += BULK_READS) {
    const chunk = ids.slice(start, start + BULK_READS);
    const responses = await container.items.bulk(
      chunk.map((id) => ({ operationType: BulkOperationType.Read, partitionKey: id, id })),
    );
    for (const [index, { statusCode, resourceBody }] of responses.entries()) {
      if (resourceBody === undefined) throw new Error(`${chunk[index]} cannot be read: status ${statusCode}`);
      items.push(resourceBody as object as StoredItem);
    }
  }
  return items;
}
