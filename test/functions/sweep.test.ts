import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { BlobServiceClient } from '@azure/storage-blob';
import pMap from 'p-map';
import type { LogEntry } from '../../local/host/appInstance.ts';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubBatch } from '../../local/hubMessage.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readBlobs } from '../../local/run/readBlobs.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import { fieldsOf } from '../../local/run/storedItem.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { createServices } from '../../src/createServices.ts';
import { BlobParking } from '../../src/parking/blobParking.ts';
import type { Services } from '../../src/services.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { bundleFunctions, provideServices } from '../support/bundleReplicate.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { MemoryTelemetry } from '../support/memoryTelemetry.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';

const { signal } = new AbortController();
const forms = ['text', 'avro'] as const;
const MANY = 600;
const PAGE_BLOBS = 100;

function segmentsOf(id: number): Buffer[] {
  const form = forms[id % 2] ?? 'text';
  const base = id % 4 < 2 ? 0 : 1;
  return splitMessages(insertEvent(id, id + 1), { form, base, cuts: [400] });
}

function batch(bodies: readonly Buffer[], partitionId = '0'): HubBatch {
  const messages = bodies.map((body, index) => ({
    body,
    partitionId,
    sequenceNumber: index,
    offset: String(index),
    enqueuedTime: '2026-08-07T16:25:01.500Z',
    partitionKey: null,
  }));
  return { partitionId, messages };
}

describe('the function sweep', () => {
  let bundle: Awaited<ReturnType<typeof bundleFunctions>>;
  let servers: LocalServers;
  let host: FunctionsHost;
  let services: Services;
  let logs: LogEntry[] = [];

  before(async () => {
    bundle = await bundleFunctions(['replicate', 'sweep']);
  });
  after(() => bundle.remove());
  beforeEach(async () => {
    servers = await startLocalServers(false);
    services = createServices(readSettings(servers.environment));
    provideServices(() => services);
    logs = [];
    const { environment } = servers;
    host = await FunctionsHost.load({ bundle: bundle.path, environment, log: (entry) => logs.push(entry) });
  });
  afterEach(async () => {
    await host.dispose();
    await servers.close();
  });

  /** Puts messages into the parking and does no more, as an instance that dies right after it. */
  async function park(bodies: readonly Buffer[]): Promise<void> {
    await pMap(
      hubMessages(bodies),
      (message) => services.parking.park(readMessage(message.body), message, signal),
      { concurrency: 16 },
    );
  }

  /** Makes everything that is parked too old. */
  function passTheLimit(): void {
    services = { ...services, settings: { ...services.settings, parkedSeconds: 0 } };
  }

  async function sweepOnce(): Promise<Record<string, unknown>> {
    logs = [];
    await host.invokeTimer('sweep');
    const lines = logs.filter(({ message }) => message.startsWith('swept '));
    assert.equal(lines.length, 1);
    return JSON.parse(lines[0]?.message.replace(/^swept /, '') ?? '');
  }

  it('is a timer of five minutes that does not run when an instance starts', () => {
    const sweep = host.functions.find(({ name }) => name === 'sweep');
    assert.ok(sweep !== undefined);
    const { type, schedule, runOnStartup, useMonitor } = sweep.trigger;
    assert.deepEqual(
      { type, schedule, runOnStartup, useMonitor },
      { type: 'timerTrigger', schedule: '0 */5 * * * *', runOnStartup: false, useMonitor: true },
    );
  });

  it('applies what a crash left, leaves alone what may be completed, and logs one line', async () => {
    const ids = [0, 1, 2, 3];
    await park(ids.flatMap(segmentsOf));
    await park(segmentsOf(9).slice(1));
    const { milliseconds, oldestSeconds, ...counts } = await sweepOnce();
    assert.ok(Number.isInteger(milliseconds) && Number.isInteger(oldestSeconds));
    assert.deepEqual(counts, {
      groups: 5,
      waiting: 1,
      applied: 4,
      superseded: 0,
      deadLettered: 0,
      released: 0,
      gone: 0,
      forgotten: 0,
      letters: 0,
      finished: true,
      largeValues: { found: 0, rows: 0, removed: 0, unanswered: 0, finished: true },
    });
    assert.deepEqual((await rowsOf(servers)).sort(), ids);
    const { parkedEvents, parkedSegments } = await readBlobs(servers);
    assert.deepEqual([parkedEvents, parkedSegments], [1, 1]);
    assert.deepEqual([(await sweepOnce())['groups']], [1]);
  });

  it('dead-letters what stays incomplete after the limit, and warns', async () => {
    const broken = avroData(insertEvent(5, 5)).subarray(0, -1);
    await park([avroMessage(insertEvent(5, 5), broken, { segmentindex: 1 })]);
    await park([6, 7, 8, 9].flatMap((id) => segmentsOf(id).slice(0, 1)));
    passTheLimit();
    const { deadLettered, letters } = await sweepOnce();
    assert.deepEqual([deadLettered, letters], [5, 5]);
    const warnings = logs.filter(({ level, category }) => level === 'warning' && category === 'user');
    assert.equal(warnings.length, 5);
    for (const { message } of warnings) assert.match(message, /^dead letter \{"reason":"segments-missing"/);
    assert.deepEqual((await readBlobs(servers)).parkedSegments, 0);
    const blobs = BlobServiceClient.fromConnectionString(servers.blob.connectionString);
    for await (const { metadata } of blobs
      .getContainerClient('dead-letters')
      .listBlobsFlat({ includeMetadata: true })) {
      assert.match(metadata?.['message'] ?? '', /^segment [01] of an event was there/);
      assert.ok(
        metadata?.['table'] === 'shop.dbo.Items' || /^segment 1 .*broken$/.test(metadata?.['message'] ?? ''),
      );
    }
    assert.equal((await sweepOnce())['groups'], 0);
  });

  it('reports how it went, whatever it finds', async () => {
    const telemetry = new MemoryTelemetry();
    services = { ...services, telemetry };
    await park(segmentsOf(9).slice(1));
    await sweepOnce();
    assert.deepEqual(Object.keys(telemetry.measured).sort(), [
      'replica.parked_groups',
      'replica.parked_oldest_age',
      'replica.sweep_duration{outcome=done}',
    ]);
    assert.deepEqual(telemetry.measured['replica.parked_groups'], [1]);
    services = { ...services, ready: () => Promise.reject(new RangeError('no storage')) };
    await assert.rejects(host.invokeTimer('sweep'), RangeError);
    assert.equal(telemetry.measured['replica.sweep_duration{outcome=failed}']?.length, 1);
  });

  it('removes the copies of an event that came whole in another batch', async () => {
    for (const id of [0, 1, 2, 3]) {
      await host.invokeEventHub('replicate', batch(segmentsOf(id)));
      await park(segmentsOf(id).slice(0, 1));
    }
    passTheLimit();
    const { superseded, deadLettered } = await sweepOnce();
    assert.deepEqual([superseded, deadLettered], [4, 0]);
    assert.equal((await readBlobs(servers)).parkedSegments, 0);
  });

  it(`works through ${MANY} events page by page, beside the trigger and another sweep`, async () => {
    const blobs = BlobServiceClient.fromConnectionString(servers.blob.connectionString);
    const parking = new BlobParking(blobs.getContainerClient('parked'), async () => 'test-0', PAGE_BLOBS);
    services = { ...services, parking, settings: { ...services.settings, batchDeadlineSeconds: 600 } };
    const ids = Array.from({ length: MANY }, (_, id) => id);
    const whole = ids.filter((id) => id % 50 === 0);
    const completed = ids.filter((id) => id % 50 === 1);
    await park(ids.flatMap((id) => segmentsOf(id).slice(id % 50 === 0 ? 0 : 1)));
    const rest = completed.flatMap((id) => segmentsOf(id).slice(0, 1));
    const outcomes = await Promise.allSettled([
      host.invokeTimer('sweep'),
      host.invokeTimer('sweep'),
      host.invokeEventHub('replicate', batch(rest)),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      Array(3).fill('fulfilled'),
    );
    assert.deepEqual(
      logs.filter(({ level }) => level === 'warning' || level === 'error'),
      [],
    );
    assert.equal((await rowsOf(servers)).length, whole.length + completed.length);
    const { groups, waiting, finished } = await sweepOnce();
    const left = MANY - whole.length - completed.length;
    assert.deepEqual([groups, waiting, finished], [left, left, true]);
  });
});

/** Keys of the rows in the replica. */
async function rowsOf(servers: LocalServers): Promise<number[]> {
  return (await readReplica(servers)).map(({ key }) => Number(fieldsOf(key).get('Id')));
}
