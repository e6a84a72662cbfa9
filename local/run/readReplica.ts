import { BulkOperationType, type Container, CosmosClient } from '@azure/cosmos';
import type { LocalServers } from './localServers.ts';
import type { StoredItem } from './storedItem.ts';

/** Ids asked for in one page of the query. */
const PAGE_IDS = 1000;
/** Items read at a time: the most that a bulk request may hold. */
const BULK_READS = 100;

/**
 * Every item of the replica's containers, live rows and tombstones. A query finds the ids and the items are then read
 * by id, because the local server's queries leave out properties called `__proto__`.
 */
export async function readReplica({
  settings,
  otherContainers = [],
}: Pick<LocalServers, 'settings'> & Partial<Pick<LocalServers, 'otherContainers'>>): Promise<StoredItem[]> {
  const client = new CosmosClient({
    endpoint: settings.COSMOS_ENDPOINT,
    key: settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  try {
    const database = client.database(settings.COSMOS_DATABASE);
    const items: StoredItem[] = [];
    for (const name of [settings.COSMOS_CONTAINER, ...otherContainers]) {
      const container = database.container(name);
      const pages = container.items.query<string>('SELECT VALUE c.id FROM c', { maxItemCount: PAGE_IDS });
      for await (const { resources } of pages.getAsyncIterator()) {
        items.push(...(await readItems(container, resources)));
      }
    }
    return items;
  } finally {
    client.dispose();
  }
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
