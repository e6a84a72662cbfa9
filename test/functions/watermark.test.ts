import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
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

test('where tracking is off there is neither the timer nor what it works on', async () => {
  const environment = { ...servers.environment, TRANSACTIONS: 'off' };
  const off = await FunctionsHost.load({ bundle, environment });
  assert.deepEqual(off.functions.map(({ name }) => name).toSorted(), ['replicate', 'sweep']);
  await off.dispose();
  assert.equal(createServices(readSettings(environment)).tracking, undefined);
});
