import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CosmosClient, type Database } from '@azure/cosmos';
import { type CosmosServer, startCosmosServer } from '../../local/servers/cosmosServer.ts';
import { ContainerIdentity } from '../../src/replica/containerIdentity.ts';

let server: CosmosServer;
let client: CosmosClient;
let database: Database;

before(async () => {
  server = await startCosmosServer();
  const connectionPolicy = { enableEndpointDiscovery: false };
  client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy });
  database = (await client.databases.createIfNotExists({ id: 'replica' })).database;
});
after(async () => {
  client.dispose();
  await server.close();
});

async function create(id: string, path: string): Promise<ContainerIdentity> {
  const { container } = await database.containers.create({ id, partitionKey: { paths: [path] } });
  return new ContainerIdentity(container);
}

test('a container is the same as long as it is not made anew', async () => {
  const first = await create('rows', '/pkkey');
  assert.equal(
    await first.resourceId(),
    await new ContainerIdentity(database.container('rows')).resourceId(),
  );
  const before = server.requests();
  await first.resourceId();
  assert.equal(server.requests(), before, 'it is asked once');
  await database.container('rows').delete();
  assert.notEqual(await (await create('rows', '/pkkey')).resourceId(), await first.resourceId());
});

// Cosmos DB answers 400 to every item then, and all of them would become dead letters.
test('a container with another partition key is a wrong setting', async () => {
  const identity = await create('other', '/id');
  await assert.rejects(identity.resourceId(), {
    name: 'ConfigurationError',
    message: /^COSMOS_CONTAINER .*\/id/,
  });
});

test('a container that is not there is an outage until it is', async () => {
  const identity = new ContainerIdentity(database.container('later'));
  await assert.rejects(identity.resourceId(), { name: 'OutageError', message: /container later .*\(404\)/ });
  await create('later', '/pkkey');
  assert.notEqual(await identity.resourceId(), '');
});
