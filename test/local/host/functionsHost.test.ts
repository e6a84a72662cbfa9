import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { InvocationContext } from '@azure/functions';
import fc from 'fast-check';
import type { LogEntry } from '../../../local/host/appInstance.ts';
import { FunctionsHost } from '../../../local/host/functionsHost.ts';
import { batchOf } from './batches.ts';
import { bundleFixture, startRecording } from './fixtures/bundleFixture.ts';

interface Call {
  readonly name: string;
  /** Calls of this instance so far. */
  readonly calls: number;
  readonly messages: readonly unknown[];
  readonly context: InvocationContext;
}

const SETTINGS = { RECORDER_NAME: 'one', HUB_NAME: 'changes', Hub__fullyQualifiedNamespace: 'ns.example' };

describe('FunctionsHost and Event Hubs triggers', () => {
  let bundle: Awaited<ReturnType<typeof bundleFixture>>;
  let host: FunctionsHost;
  let recorded: Call[];
  const logs: LogEntry[] = [];

  before(async () => {
    bundle = await bundleFixture('recorder');
    host = await FunctionsHost.load({
      bundle: bundle.path,
      environment: SETTINGS,
      log: (entry) => logs.push(entry),
    });
  });
  beforeEach(() => {
    recorded = startRecording();
    logs.length = 0;
  });
  after(async () => {
    await host.dispose();
    await bundle.remove();
  });

  const lastCall = (): Call => {
    const call = recorded.at(-1);
    assert.ok(call, 'the handler was not called');
    return call;
  };

  it('hands over binary bodies byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 }), async (bodies) => {
        await host.invokeEventHub('binary', batchOf(...bodies));
        const { messages } = lastCall();
        assert.ok(messages.every(Buffer.isBuffer));
        assert.deepEqual(
          messages.map((body) => [...body]),
          bodies.map((body) => [...body]),
        );
      }),
    );
  });

  it('keeps empty bodies and bytes that are not UTF-8, and copies them', async () => {
    const body = Uint8Array.of(0xff, 0xfe, 0x00);
    await host.invokeEventHub('binary', batchOf('', body, ''));
    body.fill(0);
    assert.deepEqual(lastCall().messages, [Buffer.alloc(0), Buffer.from('fffe00', 'hex'), Buffer.alloc(0)]);
  });

  it('makes small bodies views into a shared pool, as the worker does', async () => {
    await host.invokeEventHub('binary', batchOf('first', 'second'));
    const [first, second] = lastCall().messages;
    assert.ok(Buffer.isBuffer(first) && Buffer.isBuffer(second));
    assert.ok(first.buffer.byteLength > first.byteLength);
    assert.ok(second.buffer.byteLength > second.byteLength);
  });

  it('calls the handler for an empty batch', async () => {
    await host.invokeEventHub('binary', batchOf());
    assert.deepEqual(lastCall().messages, []);
    assert.deepEqual(lastCall().context.triggerMetadata?.['systemPropertiesArray'], []);
  });

  it('gives metadata in the shape the library makes of what the host sends', async () => {
    await host.invokeEventHub('binary', batchOf('a', 'b'));
    const metadata = lastCall().context.triggerMetadata;
    assert.deepEqual(metadata, {
      partitionContext: {
        isCheckpointingAfterInvocation: true,
        fullyQualifiedNamespace: 'ns.example',
        eventHubName: 'changes',
        consumerGroup: '$Default',
        partitionId: '3',
      },
      triggerPartitionContext: metadata?.['partitionContext'],
      // No null, and a number where there was text: of no use for matching messages.
      partitionKeyArray: [0],
      offsetArray: [4096, 4097],
      offsetStringArray: [4096, 4097],
      sequenceNumberArray: [1000, 1001],
      enqueuedTimeUtcArray: ['2025-03-14T16:45:20.6', '2025-03-14T16:45:20.61'],
      propertiesArray: [{}, {}],
      systemPropertiesArray: [
        {
          sequenceNumber: 1000,
          offset: 4096,
          offsetString: '4096',
          partitionKey: '0',
          enqueuedTimeUtc: '2025-03-14T16:45:20.6',
        },
        {
          sequenceNumber: 1001,
          offset: 4097,
          offsetString: '4097',
          partitionKey: null,
          enqueuedTimeUtc: '2025-03-14T16:45:20.61',
        },
      ],
    });
  });

  it('can send sequence numbers as objects, or no metadata at all', async () => {
    await host.invokeEventHub('binary', batchOf('a'), { metadata: 'longObjects' });
    const numbers = lastCall().context.triggerMetadata?.['sequenceNumberArray'];
    assert.deepEqual(numbers, [{ low: 1000, high: 0, unsigned: false }]);

    await host.invokeEventHub('binary', batchOf('a'), { metadata: 'missing' });
    assert.deepEqual(lastCall().context.triggerMetadata, {});
    assert.deepEqual(lastCall().messages, [Buffer.from('a')]);
  });

  it('parses bodies as JSON without a dataType, and fails the batch before the handler when one is not', async () => {
    await host.invokeEventHub('untyped', batchOf('{"a":1}', '', '[2]'));
    assert.deepEqual(lastCall().messages, [{ a: 1 }, null, [2]]);

    recorded = startRecording();
    await assert.rejects(
      host.invokeEventHub('untyped', batchOf('{}', Uint8Array.of(6, 0xff))),
      /message body is not JSON/,
    );
    assert.equal(recorded.length, 0);
  });

  it('damages bytes and drops empty bodies with dataType string', async () => {
    await host.invokeEventHub('text', batchOf(Uint8Array.of(0xff), '', '7', 'seven'));
    assert.deepEqual(lastCall().messages, ['\ufffd', 7, 'seven']);
  });

  it('passes log calls on with level, function and invocation', async () => {
    await host.invokeEventHub('binary', batchOf('a'));
    const { invocationId } = lastCall().context;
    const common = { category: 'user', functionName: 'binary', invocationId };
    assert.deepEqual(logs, [
      { ...common, level: 'information', message: 'got 1' },
      { ...common, level: 'warning', message: 'careful' },
    ]);
  });

  it('passes a timer on in the library’s casing', async () => {
    const timers = startRecording<{ timer: unknown }>();
    await host.invokeTimer('sweep', { isPastDue: true });
    const scheduleStatus = {
      last: '2025-01-01T00:00:00Z',
      next: '2025-01-01T00:05:00Z',
      lastUpdated: '2025-01-01T00:00:00Z',
    };
    await host.invokeTimer('sweep', { scheduleStatus });
    const schedule = { adjustForDST: true };
    assert.deepEqual(
      timers.map(({ timer }) => timer),
      [
        { schedule, scheduleStatus: null, isPastDue: true },
        { schedule, scheduleStatus, isPastDue: false },
      ],
    );
  });

  it('refuses functions that are unknown, of another trigger, or of a cardinality it does not imitate', async () => {
    await assert.rejects(host.invokeEventHub('nobody', batchOf()), /no function "nobody"/);
    await assert.rejects(host.invokeEventHub('sweep', batchOf()), /timerTrigger, not a eventHubTrigger/);
    await assert.rejects(host.invokeTimer('binary'), /eventHubTrigger, not a timerTrigger/);
    await assert.rejects(host.invokeEventHub('single', batchOf('a')), /only cardinality 'many'/);
    assert.equal(recorded.length, 0);
  });

  it('lists what the app registered', () => {
    assert.deepEqual(
      host.functions.map(({ name }) => name),
      ['binary', 'text', 'untyped', 'single', 'sweep'],
    );
    const [binary] = host.functions;
    assert.ok(binary);
    assert.equal(binary.trigger.type, 'eventHubTrigger');
    assert.equal(binary.trigger['dataType'], 'binary');
    assert.equal(binary.trigger['eventHubName'], '%HUB_NAME%');
    assert.deepEqual(Object.keys(binary.bindings), [binary.trigger.name]);
    assert.equal(binary.retry, undefined);
  });

  it('makes every load an instance of its own', async () => {
    const before = recorded.length;
    const second = await FunctionsHost.load({
      bundle: bundle.path,
      environment: { ...SETTINGS, RECORDER_NAME: 'two' },
    });
    await second.invokeEventHub('binary', batchOf('a'));
    assert.equal(lastCall().calls, 1);
    assert.equal(lastCall().name, 'two');
    await second.dispose();

    await host.invokeEventHub('binary', batchOf('a'));
    assert.ok(lastCall().calls > 1);
    assert.equal(lastCall().name, 'one');
    assert.equal(recorded.length, before + 2);
  });
});
