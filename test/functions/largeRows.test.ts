import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BlobServiceClient } from '@azure/storage-blob';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { FunctionLog } from '../../local/run/functionLog.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import { fieldsOf } from '../../local/run/storedItem.ts';
import { createServices } from '../../src/createServices.ts';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { FaultyProxy } from '../chaos/faultyProxy.ts';
import { bundleReplicate, provideServices } from '../support/bundleReplicate.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';

const MB = 1_048_576;
const COLUMNS = 10;
/** Bytes of data in a message: segments are as large as a hub of the standard tier takes. */
const SEGMENT_BYTES = 900_000;

/** Values of 1 MB each that differ, with characters of one, two and four bytes. */
const columns = Object.fromEntries(
  Array.from({ length: COLUMNS }, (_, index) => {
    const part = `${index}é\u{1f600} and so on `;
    return [`c${index}`, part.repeat(Math.floor(MB / Buffer.byteLength(part)))];
  }),
);

function segmentsOf(event: TestEvent, form: 'text' | 'avro', base: 0 | 1): Buffer[] {
  const [whole = Buffer.of()] = splitMessages(event, { form, base, cuts: [] });
  const count = Math.floor(whole.length / SEGMENT_BYTES);
  const cuts = Array.from({ length: count }, (_, index) => (index + 1) * SEGMENT_BYTES);
  return splitMessages(event, { form, base, cuts });
}

describe('a row with ten columns of 1 MB', () => {
  let servers: LocalServers;
  let blobs: FaultyProxy;
  let bundle: Awaited<ReturnType<typeof bundleReplicate>>;
  let host: FunctionsHost;
  const log = new FunctionLog();
  const uploads: string[] = [];

  before(async () => {
    servers = await startLocalServers(false);
    blobs = await FaultyProxy.start(servers.blob.endpoint, ({ method, path }) => {
      if (path.includes(`/${blobContainers.largeValues}/`)) uploads.push(`${method} ${path}`);
      return undefined;
    });
    const { environment, settings } = servers;
    const origin = new URL(servers.blob.endpoint).origin;
    const connection = settings.BLOB_CONNECTION_STRING.replace(origin, blobs.origin);
    const services = createServices(readSettings({ ...environment, BLOB_CONNECTION_STRING: connection }));
    provideServices(() => services);
    bundle = await bundleReplicate();
    host = await FunctionsHost.load({ bundle: bundle.path, environment, log: (entry) => log.take(entry) });
  });
  after(async () => {
    await host.dispose();
    await bundle.remove();
    await blobs.close();
    await servers.close();
  });

  async function deliver(bodies: readonly Buffer[]): Promise<void> {
    const messages = bodies.map((body, index) => ({
      body,
      partitionId: '0',
      sequenceNumber: index,
      offset: String(index),
      enqueuedTime: '2026-08-07T16:25:01.500Z',
      partitionKey: null,
    }));
    await host.invokeEventHub('replicate', { partitionId: '0', messages });
  }

  /** Delivers the rest of the segments first, so that parked ones are needed. */
  async function deliverInTwoBatches(bodies: readonly Buffer[]): Promise<void> {
    const middle = Math.floor(bodies.length / 2);
    await deliver(bodies.slice(middle));
    await deliver(bodies.slice(0, middle));
  }

  /** Says the columns that differ, not how: texts of megabytes are no message. */
  async function assertRow(id: number, expected: Readonly<Record<string, unknown>>): Promise<void> {
    const item = (await readReplica(servers)).find((one) => one.id === `shop.dbo.Items:${id}`);
    const row = fieldsOf(item?.row);
    assert.deepEqual([...row.keys()].sort(), Object.keys(expected).sort());
    const wrong = Object.keys(expected).filter((column) => row.get(column) !== expected[column]);
    assert.deepEqual(wrong, []);
  }

  for (const [id, form, base] of [
    [1, 'text', 0],
    [2, 'avro', 1],
  ] as const) {
    it(`converges like any other: ${form} from index ${base}`, async () => {
      const insert = insertEvent(id, 10 * id, {
        current: JSON.stringify({ Id: String(id), Name: 'first', ...columns }),
      });
      const update = insertEvent(id, 10 * id + 1, {
        operation: 'UPD',
        current: JSON.stringify({ Id: String(id), Name: 'second', c3: 'short now' }),
      });
      const segments = segmentsOf(insert, form, base);
      assert.ok(segments.length > 10, `${segments.length}`);
      await deliverInTwoBatches(segments);
      await assertRow(id, { Id: id, Name: 'first', ...columns });
      assert.equal(uploads.length, COLUMNS - 1);

      await deliver(segmentsOf(update, form, base));
      const changed = { Id: id, Name: 'second', ...columns, c3: 'short now' };
      await assertRow(id, changed);
      // Neither the update nor a replay has anything to do with Blob storage.
      const before = log.totals();
      await deliver(segments);
      await deliver(segmentsOf(update, form, base));
      assert.equal(log.totals().writes, before.writes);
      await assertRow(id, changed);
      assert.equal(uploads.splice(0).length, COLUMNS - 1);
    });
  }

  it('has its values in folders that tell container, table and row', async () => {
    const container = BlobServiceClient.fromConnectionString(
      servers.settings.BLOB_CONNECTION_STRING,
    ).getContainerClient(blobContainers.largeValues);
    const names: string[] = [];
    for await (const { name } of container.listBlobsFlat()) names.push(name);
    assert.equal(names.length, 2 * (COLUMNS - 1));
    for (const name of names)
      assert.match(
        name,
        /^rows-[0-9a-f]{8}\/([0-9a-f]{2})\/shop\.dbo\.Items\/\1[0-9a-f]{62}\/0000-0{18}(?:0A|14)-0{19}1\/[0-9a-f]{64}$/,
      );
    assert.equal(new Set(names.map((name) => name.split('/')[3])).size, 2);
  });
});
