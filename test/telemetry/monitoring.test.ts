import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubBatch } from '../../local/hubMessage.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { type FakeIngestion, startFakeIngestion } from '../support/fakeIngestion.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;
/** In a value, in a key, and in a message that cannot be read. */
const MARKER = 'M4RK3R';

let ingestion: FakeIngestion;
let servers: LocalServers;
before(async () => {
  [ingestion, servers] = await Promise.all([startFakeIngestion(), startLocalServers(false)]);
});
after(async () => {
  await Promise.all([ingestion.close(), servers.close()]);
});

function batch(...bodies: readonly Buffer[]): HubBatch {
  const messages = bodies.map((body, index) => ({
    body,
    partitionId: '3',
    sequenceNumber: 100 + index,
    offset: String(4096 + index),
    enqueuedTime: '2026-08-07T16:25:01.500Z',
    partitionKey: null,
  }));
  return { partitionId: '3', messages };
}

/** Runs the app as it is deployed over a few batches, from its start to its end. */
async function run(settings: Readonly<Record<string, string>>): Promise<readonly LogEntry[]> {
  const logs: LogEntry[] = [];
  const environment = { ...servers.environment, ...offline, ...settings };
  const host = await FunctionsHost.load({ bundle, environment, log: (entry) => logs.push(entry) });
  const marked = insertEvent(1, 1, { current: JSON.stringify({ Id: '1', Name: MARKER }) });
  const keyed = insertEvent(2, 2, {
    cols: [{ name: 'Id', type: 'int', index: 0 }],
    pkkey: [{ columnname: 'Id', value: MARKER }],
    current: JSON.stringify({ Id: MARKER }),
  });
  const keyless = insertEvent(3, 3, { pkkey: [], current: JSON.stringify({ Id: MARKER }) });
  await host.invokeEventHub(
    'replicate',
    batch(jsonMessage(marked), avroMessage(keyed), jsonMessage(keyless), Buffer.from(`{"junk":"${MARKER}"`)),
  );
  await host.invokeEventHub('replicate', batch(avroMessage(marked)));
  await host.dispose();
  return logs;
}

/** The library's own usage reports go to fixed addresses, and without Azure's settings it looks for a machine there. */
const offline = {
  APPLICATION_INSIGHTS_NO_STATSBEAT: 'true',
  APPLICATIONINSIGHTS_SDKSTATS_DISABLED: 'true',
  WEBSITE_SITE_NAME: 'test',
  FUNCTIONS_EXTENSION_VERSION: '~4',
};

test('without a connection string nothing is loaded and nothing is sent', async () => {
  const logs = await run({ APPLICATIONINSIGHTS_CONNECTION_STRING: '' });
  assert.equal(logs.filter(({ message }) => message.startsWith('replicated ')).length, 2);
  assert.deepEqual(ingestion.bodies, []);
  assert.equal(telemetryIsLoaded(), false);
});

test('with one, metrics, traces and the log arrive, and no values', async () => {
  const logs = await run({ APPLICATIONINSIGHTS_CONNECTION_STRING: ingestion.connectionString });
  assert.equal(telemetryIsLoaded(), true);
  const envelopes = ingestion.envelopes();

  const sums = new Map<string, number>();
  for (const { data } of envelopes.filter(({ data: { baseType } }) => baseType === 'MetricData')) {
    for (const { name, value } of data.baseData.metrics ?? []) {
      const { table, reason, code, outcome, partition } = data.baseData.properties ?? {};
      sums.set([name, table, reason, code, outcome, partition].filter(Boolean).join(' '), value);
    }
  }
  const counts = Object.fromEntries(
    [...sums].filter(([name, value]) => value > 0 && /^replica\.(?!lag|batch)/.test(name)),
  );
  const { 'replica.request_charge': charge = 0, ...others } = counts;
  assert.ok(charge > 0);
  assert.deepEqual(others, {
    'replica.received shop.dbo.Items': 4,
    // The rows are there from the run before.
    'replica.superseded shop.dbo.Items': 3,
    'replica.received unknown': 1,
    'replica.dead_lettered shop.dbo.Items no-key': 1,
    'replica.dead_lettered unknown invalid-json': 1,
    'replica.unparsed_values shop.dbo.Items': 1,
    'replica.warnings no-key': 1,
    'replica.warnings unparsed-values': 1,
  });
  assert.ok([...sums.keys()].includes('replica.batch_duration done 3'));

  const spans = envelopes.filter(({ data }) => data.baseType === 'RemoteDependencyData');
  assert.deepEqual(
    spans.map(({ data: { baseData } }) => [baseData.name, baseData.properties]),
    [
      [
        'replicate batch',
        { partition: '3', firstSequenceNumber: '100', lastSequenceNumber: '103', messages: '4' },
      ],
      [
        'replicate batch',
        { partition: '3', firstSequenceNumber: '100', lastSequenceNumber: '100', messages: '1' },
      ],
    ],
  );
  // A request of its own would be the host's invocation once more.
  assert.deepEqual(
    envelopes.filter(({ data }) => data.baseType === 'RequestData'),
    [],
  );

  const lines = envelopes.filter(({ data }) => data.baseType === 'MessageData');
  assert.deepEqual(
    lines.map(({ data }) => data.baseData.message).toSorted(),
    logs.flatMap(({ category, message }) => (category === 'user' ? [message] : [])).toSorted(),
  );
  // All belong to the invocations of the host: two traces.
  const operations = new Set([...spans, ...lines].map(({ tags }) => tags['ai.operation.id']));
  assert.equal(operations.size, 2);

  assert.ok(ingestion.bodies.length > 0);
  for (const body of ingestion.bodies) assert.ok(!body.includes(MARKER));
  for (const { message } of logs) assert.ok(!message.includes(MARKER));
});

/** The library leaves its providers where every copy of the API finds them. */
function telemetryIsLoaded(): boolean {
  return Symbol.for('opentelemetry.js.api.1') in globalThis;
}
