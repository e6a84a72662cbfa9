import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubBatch } from '../../local/hubMessage.ts';
import { LOGGED_DEAD_LETTERS } from '../../src/limits.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { bundleReplicate, provideServices } from '../support/bundleReplicate.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';
import { type TestServices, testServices } from '../support/testServices.ts';

const environment = { EVENT_HUB_NAME: 'changes', EVENT_HUB_CONSUMER_GROUP: 'replica' };

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

describe('the function replicate', () => {
  let bundle: Awaited<ReturnType<typeof bundleReplicate>>;
  let host: FunctionsHost;
  let services: TestServices;
  let logs: LogEntry[] = [];

  before(async () => {
    bundle = await bundleReplicate();
    host = await FunctionsHost.load({ bundle: bundle.path, environment, log: (entry) => logs.push(entry) });
  });
  beforeEach(() => {
    services = testServices();
    provideServices(() => services);
    logs = [];
  });
  after(async () => {
    await host.dispose();
    await bundle.remove();
  });

  const lines = (level: LogEntry['level']): string[] =>
    logs.filter((entry) => entry.category === 'user' && entry.level === level).map(({ message }) => message);

  it('is registered for binary batches, with retries that never end', () => {
    const [registered, ...others] = host.functions;
    assert.deepEqual(others, []);
    assert.equal(registered?.name, 'replicate');
    const { type, connection, eventHubName, consumerGroup, cardinality, dataType } =
      registered?.trigger ?? {};
    assert.deepEqual(
      { type, connection, eventHubName, consumerGroup, cardinality, dataType },
      {
        type: 'eventHubTrigger',
        connection: 'EventHub',
        eventHubName: '%EVENT_HUB_NAME%',
        consumerGroup: '%EVENT_HUB_CONSUMER_GROUP%',
        cardinality: 'many',
        dataType: 'binary',
      },
    );
    assert.equal(registered?.retry?.maxRetryCount, -1);
  });

  it('brings a batch into the replica and logs its counts and place', async () => {
    const events = [insertEvent(1, 1), insertEvent(2, 2)];
    await host.invokeEventHub(
      'replicate',
      batch(jsonMessage(insertEvent(1, 1)), avroMessage(insertEvent(2, 2))),
    );
    assert.deepEqual(services.store.items(), expectedItems(events));
    const [line = '', ...others] = lines('information');
    assert.deepEqual(others, []);
    const { milliseconds, ...counts } = JSON.parse(line.replace(/^replicated /, ''));
    assert.ok(Number.isInteger(milliseconds) && milliseconds >= 0);
    assert.deepEqual(counts, {
      partition: '3',
      firstSequenceNumber: '100',
      lastSequenceNumber: '101',
      messages: 2,
      changes: 2,
      applied: 2,
      superseded: 0,
      excluded: 0,
      parked: 0,
      deadLettered: 0,
      withheld: 0,
      released: 0,
      reasons: {},
      rows: 2,
      reads: 0,
      writes: 2,
      failedWrites: 0,
      requestUnits: 2,
      largeValues: 0,
      unparsedValues: 0,
      unknownColumns: 0,
    });
  });

  it('warns of dead letters, a bounded number of them, and shows no values', async () => {
    const secret = 'S3CR3T';
    const bad = Array.from({ length: LOGGED_DEAD_LETTERS + 5 }, () =>
      jsonMessage(insertEvent(1, 1, { current: `{"Id":"${secret}"` })),
    );
    await host.invokeEventHub('replicate', batch(...bad));
    const warnings = lines('warning');
    assert.equal(warnings.length, LOGGED_DEAD_LETTERS);
    assert.match(
      warnings[7] ?? '',
      /^dead letter \{"reason":"invalid-json","message":"eventrow\.current is not JSON at position \d+ \(\d+ characters\)","partition":"3","sequenceNumber":"107"\}$/,
    );
    assert.match(
      lines('information')[0] ?? '',
      new RegExp(`"reasons":{"invalid-json":${LOGGED_DEAD_LETTERS + 5}}`),
    );
    assert.ok(logs.every(({ message }) => !message.includes(secret)));
  });

  it('fails on an outage, says where, and succeeds when the batch comes again', async () => {
    let outages = 2;
    services.deadLetters.before = async () => {
      outages -= 1;
      if (outages >= 0) throw new RangeError('no storage');
    };
    const delivery = await host.deliver(
      'replicate',
      batch(Buffer.from('junk'), jsonMessage(insertEvent(1, 1))),
      {
        maxAttempts: 5,
      },
    );
    assert.deepEqual(delivery, { attempts: 3, outcome: 'succeeded' });
    assert.deepEqual(
      lines('error'),
      Array(2).fill(
        'batch failed and comes again {"partition":"3","firstSequenceNumber":"100","lastSequenceNumber":"101","error":"RangeError","message":"no storage"}',
      ),
    );
    assert.deepEqual(services.deadLetters.reasons(), ['unknown-format']);
    assert.deepEqual(services.store.items(), expectedItems([insertEvent(1, 1)]));
  });

  it('reports the batch as a span of the invocation, and how long it took', async () => {
    await host.invokeEventHub('replicate', batch(jsonMessage(insertEvent(1, 1)), Buffer.from('junk')));
    const { spans, sums, measured } = services.telemetry;
    assert.deepEqual(
      spans.map(({ parent: _, ...span }) => span),
      [
        {
          name: 'replicate batch',
          attributes: { partition: '3', firstSequenceNumber: '100', lastSequenceNumber: '101', messages: 2 },
          failed: false,
        },
      ],
    );
    assert.match(spans[0]?.parent?.traceParent ?? '', /^00-/);
    assert.equal(sums['replica.applied{table=shop.dbo.Items}'], 1);
    assert.equal(measured['replica.batch_duration{outcome=done,partition=3}']?.length, 1);
  });

  it('reports a batch that fails as failed, and counts nothing of it', async () => {
    services.deadLetters.before = async () => {
      throw new RangeError('no storage');
    };
    await assert.rejects(host.invokeEventHub('replicate', batch(Buffer.from('junk'))), RangeError);
    const { spans, sums, measured } = services.telemetry;
    assert.deepEqual([spans.map(({ failed }) => failed), sums], [[true], {}]);
    assert.deepEqual(Object.keys(measured), ['replica.batch_duration{outcome=failed,partition=3}']);
  });

  it('warns once of what a user should know, with advice', async () => {
    const keyless = (id: number) => batch(jsonMessage(insertEvent(id, id, { pkkey: [] })));
    await host.invokeEventHub('replicate', keyless(1));
    await host.invokeEventHub('replicate', keyless(2));
    const warnings = lines('warning').filter((line) => line.startsWith('warning '));
    const { code, subject, detail, action } = JSON.parse(warnings[0]?.slice('warning '.length) ?? '{}');
    assert.deepEqual([warnings.length, code, subject, detail], [1, 'no-key', 'shop.dbo.Items', '1 changes']);
    assert.match(action, /primary key/);
  });

  it('works without metadata, as when it is called by hand', async () => {
    await host.invokeEventHub('replicate', batch(jsonMessage(insertEvent(1, 1))), { metadata: 'missing' });
    assert.equal(services.store.items().length, 1);
    const { measured } = services.telemetry;
    assert.equal(measured['replica.batch_duration{outcome=done,partition=unknown}']?.length, 1);
  });

  it('does nothing for an empty batch', async () => {
    await host.invokeEventHub('replicate', batch());
    assert.deepEqual(lines('information'), []);
  });

  it('fails as long as the app has not started', async () => {
    provideServices(() => {
      throw new RangeError('the app did not start');
    });
    await assert.rejects(
      host.invokeEventHub('replicate', batch(jsonMessage(insertEvent(1, 1)))),
      /did not start/,
    );
  });
});
