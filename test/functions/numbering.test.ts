import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;
const choices = { TRANSACTIONS: 'on-with-order', HUB_PARTITIONS: '1' };

let servers: LocalServers;
before(async () => {
  servers = await startLocalServers(false, choices);
});
after(async () => {
  await servers.close();
});

/** A change in a transaction of its own, which ends the one before. */
async function publish(host: FunctionsHost, position: number): Promise<void> {
  const message = {
    body: jsonMessage(insertEvent(position, position)),
    partitionId: '0',
    sequenceNumber: position,
    offset: String(position),
    enqueuedTime: '2026-08-07T16:25:03.500Z',
    partitionKey: null,
  };
  await host.invokeEventHub('replicate', { partitionId: '0', messages: [message] });
}

/** By id of the row. */
async function orders(): Promise<readonly unknown[]> {
  return (await readReplica(servers))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((item) => (item._ces as ReplicaItem['_ces']).transaction?.data_collection_order);
}

test('a run numbers the rows of transactions that an earlier one has ended, and says so', async () => {
  const lines: string[] = [];
  const log = ({ message }: LogEntry) => lines.push(message);
  const host = await FunctionsHost.load({ bundle, environment: servers.environment, log });
  for (const position of [1, 2]) await publish(host, position);
  await host.invokeTimer('watermark');
  assert.deepEqual(await orders(), [undefined, undefined]);
  await host.invokeTimer('watermark');
  assert.deepEqual(await orders(), [1, undefined], 'the second transaction goes on');
  const numbered = lines.filter((line) => line.startsWith('numbered '));
  assert.deepEqual(numbered, ['numbered {"db":"shop","rows":1,"transactions":1}']);
  await host.dispose();
});

// Rethrown, it would have failed the run, and with it what the run hands out to be sent.
test('where numbering fails the run does not, and the boundaries go out', async () => {
  const client = new CosmosClient({
    endpoint: servers.settings.COSMOS_ENDPOINT,
    key: servers.settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  const { containers } = client.database(servers.settings.COSMOS_DATABASE);
  const { container } = await containers.create({ id: 'more', partitionKey: { paths: ['/pkkey'] } });
  const errors: string[] = [];
  const environment = {
    ...servers.environment,
    TRANSACTION_EVENTS_HUB: 'transactions',
    REPLICA_CONFIG: '{"tables":{"*.dbo.More":{"container":"more"}}}',
  };
  const log = ({ level, message }: LogEntry) => level === 'error' && errors.push(message);
  const host = await FunctionsHost.load({ bundle, environment, log });
  await publish(host, 3);
  await host.invokeTimer('watermark');
  assert.deepEqual(errors, []);
  await container.delete();
  await publish(host, 4);
  const [sent] = await host.invokeTimer('watermark');
  assert.ok((sent?.bodies.length ?? 0) > 0);
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /^numbering rows failed; the next run goes on .*\(404\)/);
  await host.dispose();
  client.dispose();
});
