import { CosmosClient, type CosmosClientOptions, type Database } from '@azure/cosmos';
import { startBlobServer } from '../../local/servers/blobServer.ts';
import { startCosmosServer } from '../../local/servers/cosmosServer.ts';
import { createContainers } from '../../local/servers/createContainers.ts';

/** Servers in memory, empty but for the containers of the app, and a connection. */
export interface TestDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/** @param httpClient what requests go through, such as one that makes some of them fail. */
export async function startTestDatabase(
  names: Parameters<typeof createContainers>[2],
  httpClient?: CosmosClientOptions['httpClient'],
): Promise<TestDatabase> {
  const [cosmos, blob] = await Promise.all([startCosmosServer(), startBlobServer()]);
  await createContainers(cosmos, blob, names);
  const client = new CosmosClient({
    endpoint: cosmos.endpoint,
    key: cosmos.key,
    connectionPolicy: { enableEndpointDiscovery: false },
    ...(httpClient && { httpClient }),
  });
  return {
    database: client.database(names.database),
    close: async () => {
      client.dispose();
      await Promise.all([cosmos.close(), blob.close()]);
    },
  };
}
