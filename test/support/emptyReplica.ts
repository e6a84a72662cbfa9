import { CosmosClient } from '@azure/cosmos';
import type { LocalServers } from '../../local/run/localServers.ts';

/** Removes all items: the simulated databases have the same names for every seed. */
export async function emptyReplica({
  settings,
  otherContainers,
}: Pick<LocalServers, 'settings' | 'otherContainers'>): Promise<void> {
  const client = new CosmosClient({
    endpoint: settings.COSMOS_ENDPOINT,
    key: settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  for (const name of [settings.COSMOS_CONTAINER, ...otherContainers]) {
    const container = client.database(settings.COSMOS_DATABASE).container(name);
    const { resources } = await container.items.query<string>('SELECT VALUE c.id FROM c').fetchAll();
    await Promise.all(resources.map((id) => container.item(id, id).delete()));
  }
  client.dispose();
}
