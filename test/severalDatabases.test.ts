import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Container, CosmosClient } from '@azure/cosmos';
import { type LocalServers, startLocalServers } from '../local/run/localServers.ts';
import { readContainer, readReplica } from '../local/run/readReplica.ts';
import type { StoredItem } from '../local/run/storedItem.ts';
import { createServices } from '../src/createServices.ts';
import { type BatchOutcome, replicate } from '../src/pipeline.ts';
import type { Services } from '../src/services.ts';
import { readSettings } from '../src/settings/readSettings.ts';
import { emptyReplica } from './support/emptyReplica.ts';
import { hubMessages } from './support/hubMessages.ts';
import { jsonMessage } from './support/jsonMessage.ts';
import { insertEvent, type TestEvent } from './support/testEvent.ts';

const config = {
  databases: { renamed: { name: 'tenant1' }, restored: { epoch: 1 } },
  tables: {
    'tenant1.*.*': { container: 'tenant1' },
    'tenant*.*.*': { container: 'tenants' },
  },
};

let servers: LocalServers;
let client: CosmosClient;
before(async () => {
  servers = await startLocalServers(false, { REPLICA_CONFIG: JSON.stringify(config) });
  const { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } = servers.settings;
  client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } });
});
after(async () => {
  client.dispose();
  await servers.close();
});

/** The function on the servers, with other settings where they are given. */
function servicesOf(settings: Readonly<Record<string, string>> = {}): Services {
  return createServices(readSettings({ ...servers.environment, ...settings }));
}

async function play(events: readonly TestEvent[], services = servicesOf()): Promise<BatchOutcome> {
  await services.ready();
  return replicate(hubMessages(events.map((event) => jsonMessage(event))), services);
}

const idsOf = (items: readonly StoredItem[]) => items.map(({ id }) => id).sort();
const rowOf = (items: readonly StoredItem[], id: string) => items.find((item) => item.id === id)?.row;

async function createContainer(id: string, partitionKey: string): Promise<Container> {
  const { container } = await client
    .database(servers.settings.COSMOS_DATABASE)
    .containers.createIfNotExists({ id, partitionKey });
  return container;
}

/** The containers and the ids in each. */
async function placed(): Promise<Record<string, string[]>> {
  const all = [servers.settings.COSMOS_CONTAINER, ...servers.otherContainers];
  return Object.fromEntries(
    await Promise.all(all.map(async (name) => [name, idsOf(await readContainer(servers, name))])),
  );
}

test('rows of equal tables and keys of several databases are rows of their own, each where its database goes', async () => {
  await emptyReplica(servers);
  const databases = ['tenant1', 'tenant2', 'tenant.2', 'Tenant1', 'shop', 'tenant1.dbo'];
  const events = databases.map((db, index) =>
    insertEvent(1, 10, { db, current: `{"Id":"1","Name":"${index}"}` }),
  );
  const { report } = await play(events);
  assert.deepEqual([report.applied, report.deadLettered], [databases.length, 0]);
  assert.deepEqual(await placed(), {
    rows: ['shop.dbo.Items:1'],
    // Case does not count in the configuration; in ids it does.
    tenant1: ['Tenant1.dbo.Items:1', 'tenant1.dbo.Items:1'],
    tenants: ['tenant2.dbo.Items:1', 'tenant~2E2.dbo.Items:1', 'tenant1~2Edbo.dbo.Items:1'].sort(),
  });
  const items = await readReplica(servers);
  assert.deepEqual(rowOf(items, 'tenant2.dbo.Items:1'), { Id: 1, Name: '1' });
  assert.deepEqual(rowOf(items, 'tenant1~2Edbo.dbo.Items:1'), { Id: 1, Name: '5' });
});

test('updates and deletes find their rows in whatever container they are, in one batch', async () => {
  await emptyReplica(servers);
  const databases = ['tenant1', 'tenant2', 'shop'];
  await play(databases.flatMap((db) => [insertEvent(1, 10, { db }), insertEvent(2, 11, { db })]));
  await play(
    databases.flatMap((db) => [
      insertEvent(1, 12, { db, operation: 'UPD', current: '{"Id":"1","Name":"new"}' }),
      insertEvent(2, 13, { db, operation: 'DEL', old: '{"Id":"2"}', current: '{}' }),
    ]),
  );
  const items = await readReplica(servers);
  for (const db of databases) {
    assert.deepEqual(rowOf(items, `${db}.dbo.Items:1`), { Id: 1, Name: 'new' });
    assert.equal(items.find(({ id }) => id === `${db}.dbo.Items:2`)?.deleted, true);
  }
  assert.equal(items.length, 6);
});

test('a database that was renamed goes on with the rows it had', async () => {
  await emptyReplica(servers);
  await play([insertEvent(1, 10, { db: 'tenant1' })]);
  await play([
    insertEvent(1, 11, { db: 'renamed', operation: 'UPD', current: '{"Id":"1","Name":"after"}' }),
    insertEvent(2, 12, { db: 'renamed' }),
    // Late, from before the renaming.
    insertEvent(1, 9, { db: 'tenant1', operation: 'UPD', current: '{"Id":"1","Name":"late"}' }),
  ]);
  assert.deepEqual((await placed())['tenant1'], ['tenant1.dbo.Items:1', 'tenant1.dbo.Items:2']);
  const items = await readReplica(servers);
  assert.deepEqual(rowOf(items, 'tenant1.dbo.Items:1'), { Id: 1, Name: 'after' });
  assert.deepEqual([...new Set(items.map(({ db }) => db))], ['tenant1']);
});

test('a database with an epoch of its own wins over its older changes with higher LSNs, others do not', async () => {
  await emptyReplica(servers);
  const before = servicesOf({ REPLICA_CONFIG: '{}' });
  const databases = ['restored', 'shop'];
  await play(
    databases.map((db) => insertEvent(1, 1_000, { db })),
    before,
  );
  await play(databases.map((db) => insertEvent(1, 20, { db })));
  const items = await readReplica(servers);
  assert.deepEqual(rowOf(items, 'restored.dbo.Items:1'), { Id: 1, Name: 'name 20' });
  assert.deepEqual(rowOf(items, 'shop.dbo.Items:1'), { Id: 1, Name: 'name 1000' });
});

describe('a container that REPLICA_CONFIG names and that is not one for a replica', () => {
  const naming = (container: string) => ({
    REPLICA_CONFIG: JSON.stringify({ tables: { 'shop.dbo.Items': { container } } }),
  });

  test('stops every batch before it begins, as long as it is missing', async () => {
    const services = servicesOf(naming('missing'));
    const message = /the container missing of REPLICA_CONFIG and COSMOS_DATABASE cannot be read \(404\)/;
    await assert.rejects(services.ready(), { name: 'OutageError', message });
  });

  test('is a wrong setting when it has another partition key', async () => {
    await createContainer('wrong', '/id');
    await assert.rejects(servicesOf(naming('wrong')).ready(), {
      name: 'ConfigurationError',
      message:
        'REPLICA_CONFIG names wrong, which has the partition key /id: put there a container with /pkkey',
    });
  });

  // A 404 that is taken for "no such item" or for a refusal would lose changes, or fill the dead letters.
  test('makes the batch come again when it goes away later: nothing is dead-lettered or taken for done', async () => {
    const container = await createContainer('gone', '/pkkey');
    const letters: string[] = [];
    const services: Services = {
      ...servicesOf(naming('gone')),
      deadLetters: {
        put: async ({ error }) => {
          letters.push(error.code);
        },
      },
    };
    await play([insertEvent(1, 9)], services);
    await container.delete();
    const { settings } = services;
    const hurried = { ...services, settings: { ...settings, batchDeadlineSeconds: 0.3 } };
    const events = [
      insertEvent(1, 10, { operation: 'UPD' }),
      insertEvent(2, 11),
      insertEvent(3, 12, { operation: 'DEL', old: '{"Id":"3"}', current: '{}' }),
    ];
    await assert.rejects(replicate(hubMessages(events.map((event) => jsonMessage(event))), hurried), {
      name: 'OutageError',
      message: /writing 3 of 3 rows .*the container does not exist/,
    });
    assert.deepEqual(letters, []);
  });
});

test('a configuration that names the default container means that one', async () => {
  await emptyReplica(servers);
  const services = servicesOf({ REPLICA_CONFIG: '{"tables":{"shop.*.*":{"container":"rows"}}}' });
  await play([insertEvent(1, 10), insertEvent(1, 10, { db: 'other' })], services);
  assert.deepEqual((await placed())['rows'], ['other.dbo.Items:1', 'shop.dbo.Items:1']);
});
