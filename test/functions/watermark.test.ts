import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubMessage } from '../../local/hubMessage.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readTransactions } from '../../local/run/readTransactions.ts';
import { createServices } from '../../src/createServices.ts';
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
  assert.deepEqual(timerOf(sending)?.retry, { strategy: 'fixedDelay', maxRetryCount: 2, delayInterval: 1 });
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
  assert.deepEqual(await sent(1), all, 'what was not sent comes again');
  assert.deepEqual(await sent(2), [], 'the last attempt hands out nothing');
  assert.deepEqual(await sent(0), all, 'what was not sent comes again');
  assert.deepEqual(await sent(0), []);

  // A watermark that is no watermark: the failure shows, and holds up the messages of others for one attempt only.
  await sending.invokeEventHub('replicate', { partitionId: '0', messages: messagesOf('broken', 21) });
  await spoilWatermark('broken');
  await sending.invokeEventHub('replicate', { partitionId: '0', messages: messagesOf('shop', 22) });
  await assert.rejects(sent(0), /the watermark of broken stays where it is/);
  assert.deepEqual(await sent(1), [
    'broken:00000000:00000000:0015:BEGIN',
    `${id('000c')}:END:1`,
    `${id('0016')}:BEGIN`,
  ]);
  await assert.rejects(sent(2), /the watermark of broken stays where it is/, 'nothing is handed out');
  await sending.dispose();
});

function messagesOf(db: string, position: number): readonly HubMessage[] {
  const event = insertEvent(position, position, { db });
  // A stream group of its own.
  const logicalid = event.logicalid.replace(/^.{8}/, Buffer.from(db.padEnd(4)).toString('hex').slice(0, 8));
  return [
    {
      body: jsonMessage({ ...event, ...(db !== 'shop' && { logicalid }) }),
      partitionId: '0',
      sequenceNumber: position,
      offset: String(position),
      enqueuedTime: '2026-08-07T16:25:03.500Z',
      partitionKey: null,
    },
  ];
}

async function spoilWatermark(db: string): Promise<void> {
  const { settings, environment } = servers;
  const client = new CosmosClient({
    endpoint: settings.COSMOS_ENDPOINT,
    key: settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  const name = environment['COSMOS_TRANSACTIONS_CONTAINER'] ?? 'transactions';
  const item = { id: 'watermark', pkkey: `${db}:watermark`, db, _ces: { exceptions: 1 } };
  await client.database(settings.COSMOS_DATABASE).container(name).items.create(item);
  client.dispose();
}

test('where tracking is off there is neither the timer nor what it works on', async () => {
  const environment = { ...servers.environment, TRANSACTIONS: 'off' };
  const off = await FunctionsHost.load({ bundle, environment });
  assert.deepEqual(off.functions.map(({ name }) => name).toSorted(), ['replicate', 'sweep']);
  await off.dispose();
  assert.equal(createServices(readSettings(environment)).tracking, undefined);
});
