import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import { readTransactions } from '../../local/run/readTransactions.ts';
import { createServices } from '../../src/createServices.ts';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;
const choices = { TRANSACTIONS: 'on', HUB_PARTITIONS: '1' };

let servers: LocalServers;
let host: FunctionsHost;
const logs: LogEntry[] = [];
before(async () => {
  servers = await startLocalServers(false, choices);
  const { environment } = servers;
  host = await FunctionsHost.load({ bundle, environment, log: (entry) => logs.push(entry) });
});
after(async () => {
  await host.dispose();
  await servers.close();
});

test('the app that is published ends a transaction and moves the watermark', async () => {
  const bodies = [insertEvent(1, 1), insertEvent(2, 2)].map((event) => jsonMessage(event));
  const messages = bodies.map((body, sequenceNumber) => ({
    body,
    partitionId: '0',
    sequenceNumber,
    offset: String(sequenceNumber),
    enqueuedTime: '2026-08-07T16:25:01.500Z',
    partitionKey: null,
  }));
  await host.invokeEventHub('replicate', { partitionId: '0', messages });
  await host.invokeTimer('watermark');
  const { transactions, watermarks } = await readTransactions(servers);
  assert.deepEqual(
    transactions.map(({ id, status, event_count }) => [id, status, event_count]),
    [
      ['00000000:00000000:0001', 'END', 1],
      ['00000000:00000000:0002', 'BEGIN', null],
    ],
  );
  assert.deepEqual(
    watermarks.map(({ db, lsn, time, open }) => [db, lsn, time, open]),
    [['shop', '00000000000000000001', '2026-08-07T16:25:00.890Z', 1]],
  );
  const line = logs.find(({ message }) => message.startsWith('watermark '));
  const {
    milliseconds: _,
    lagSeconds,
    ...report
  } = JSON.parse(line?.message.replace('watermark ', '') ?? '{}');
  assert.ok(lagSeconds > 0);
  assert.deepEqual(report, {
    db: 'shop',
    lsn: '00000000000000000001',
    time: '2026-08-07T16:25:00.890Z',
    exceptions: 0,
    open: 1,
    ended: 1,
    idle: 0,
    late: 0,
    missing: 0,
  });
});

test('with a hub for them the boundaries go to its binding, until the host has told that they were sent', async () => {
  const environment = { ...servers.environment, TRANSACTION_EVENTS_HUB: 'transactions' };
  const sending = await FunctionsHost.load({ bundle, environment });
  const timerOf = ({ functions }: FunctionsHost) => functions.find(({ name }) => name === 'watermark');
  // Without the policy no invocation would tell how the one before it went, and nothing would be sent.
  assert.deepEqual(timerOf(sending)?.retry, { strategy: 'fixedDelay', maxRetryCount: 1, delayInterval: 5 });
  assert.equal(timerOf(host)?.retry, undefined);
  assert.equal(Object.keys(timerOf(host)?.bindings ?? {}).length, 1);
  const messages = [insertEvent(11, 11), insertEvent(12, 12)].map((event, sequenceNumber) => ({
    body: jsonMessage(event),
    partitionId: '0',
    sequenceNumber: sequenceNumber + 2,
    offset: String(sequenceNumber + 2),
    enqueuedTime: '2026-08-07T16:25:02.500Z',
    partitionKey: null,
  }));
  await sending.invokeEventHub('replicate', { partitionId: '0', messages });
  const sent = async (retryCount: number) => {
    const [output, ...others] = await sending.invokeTimer('watermark', { retryCount });
    assert.deepEqual(others, []);
    if (output === undefined) return [];
    const { type, direction, connection, eventHubName } = output.binding;
    assert.deepEqual(
      { type, direction, connection, eventHubName },
      {
        type: 'eventHub',
        direction: 'out',
        connection: 'EventHub',
        eventHubName: '%TRANSACTION_EVENTS_HUB%',
      },
    );
    return output.bodies.map((body) => JSON.parse(body).message_id);
  };
  const id = (lsn: string) => `shop:00000000:00000000:${lsn}`;
  // That transaction was open before the hub was there, and is not told of until it changes: it ends now.
  const all = [
    `${id('0002')}:BEGIN`,
    `${id('0002')}:END:1`,
    `${id('000b')}:BEGIN`,
    `${id('000b')}:END:1`,
    `${id('000c')}:BEGIN`,
  ];
  assert.deepEqual(await sent(0), all);
  assert.deepEqual(await sent(1), [], 'the last attempt hands out nothing');
  assert.deepEqual(await sent(0), all, 'what was not sent comes again');
  assert.deepEqual(await sent(0), []);
  await sending.dispose();
});

test('with order a run numbers the rows of transactions that an earlier one has ended, and says so', async () => {
  const lines: string[] = [];
  const environment = { ...servers.environment, TRANSACTIONS: 'on-with-order' };
  const log = ({ message }: LogEntry) => lines.push(message);
  const numbering = await FunctionsHost.load({ bundle, environment, log });
  const [first, second] = [insertEvent(21, 21), insertEvent(22, 22)];
  const messages = [first, second].map((event, sequenceNumber) => ({
    body: jsonMessage(event),
    partitionId: '0',
    sequenceNumber: sequenceNumber + 4,
    offset: String(sequenceNumber + 4),
    enqueuedTime: '2026-08-07T16:25:03.500Z',
    partitionKey: null,
  }));
  await numbering.invokeEventHub('replicate', { partitionId: '0', messages });
  const orders = async (): Promise<readonly unknown[]> =>
    (await readReplica(servers))
      .filter(({ id }) => /Items:2[12]$/.test(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((item) => (item._ces as ReplicaItem['_ces']).transaction?.data_collection_order);
  await numbering.invokeTimer('watermark');
  assert.deepEqual(await orders(), [undefined, undefined]);
  await numbering.invokeTimer('watermark');
  assert.deepEqual(await orders(), [1, undefined], 'the second transaction goes on');
  const numbered = lines.filter((line) => line.startsWith('numbered '));
  assert.equal(numbered.length, 1);
  // The other is one that was open before the setting was there.
  assert.match(numbered[0] ?? '', /^numbered {"db":"shop","rows":2,"transactions":2}$/);
  await numbering.dispose();
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
    TRANSACTIONS: 'on-with-order',
    TRANSACTION_EVENTS_HUB: 'transactions',
    REPLICA_CONFIG: '{"tables":{"*.dbo.More":{"container":"more"}}}',
  };
  const log = ({ level, message }: LogEntry) => level === 'error' && errors.push(message);
  const failing = await FunctionsHost.load({ bundle, environment, log });
  const message = {
    body: jsonMessage(insertEvent(23, 23)),
    partitionId: '0',
    sequenceNumber: 6,
    offset: '6',
    enqueuedTime: '2026-08-07T16:25:04.500Z',
    partitionKey: null,
  };
  await failing.invokeEventHub('replicate', { partitionId: '0', messages: [message] });
  assert.deepEqual(await failing.invokeTimer('watermark', { retryCount: 1 }), []);
  assert.deepEqual(errors, []);
  await container.delete();
  const [sent] = await failing.invokeTimer('watermark', { retryCount: 0 });
  assert.ok((sent?.bodies.length ?? 0) > 0);
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /^numbering rows failed; the next run goes on .*\(404\)/);
  await failing.dispose();
  client.dispose();
});

test('where tracking is off there is neither the timer nor what it works on', async () => {
  const environment = { ...servers.environment, TRANSACTIONS: 'off' };
  const off = await FunctionsHost.load({ bundle, environment });
  assert.deepEqual(off.functions.map(({ name }) => name).toSorted(), ['replicate', 'sweep']);
  await off.dispose();
  assert.equal(createServices(readSettings(environment)).tracking, undefined);
});
