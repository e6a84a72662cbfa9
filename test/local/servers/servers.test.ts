import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CosmosClient } from '@azure/cosmos';
import { BlobServiceClient } from '@azure/storage-blob';
import { type BlobServer, startBlobServer } from '../../../local/servers/blobServer.ts';
import { type CosmosServer, startCosmosServer } from '../../../local/servers/cosmosServer.ts';
import { createContainers } from '../../../local/servers/createContainers.ts';

/** Milliseconds after which a child process counts as hanging. */
const HANG_MS = 60_000;

describe('the local servers', () => {
  let cosmos: CosmosServer;
  let blob: BlobServer;
  let client: CosmosClient;
  const names = { database: 'replica', container: 'rows' };

  before(async () => {
    [cosmos, blob] = await Promise.all([startCosmosServer(), startBlobServer()]);
    await createContainers(cosmos, blob, names);
    client = new CosmosClient({
      endpoint: cosmos.endpoint,
      key: cosmos.key,
      connectionPolicy: { enableEndpointDiscovery: false },
    });
  });
  after(async () => {
    client.dispose();
    await Promise.all([cosmos.close(), blob.close()]);
  });

  it('listen on the loopback address only', () => {
    assert.match(cosmos.endpoint, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(blob.endpoint, /^http:\/\/127\.0\.0\.1:\d+\/devstoreaccount1$/);
  });

  it('hold the replica container as in Azure, and creating it again changes nothing', async () => {
    const container = client.database(names.database).container(names.container);
    await container.items.create({ id: 'kept', pkkey: 'kept' });
    await createContainers(cosmos, blob, names);
    const { resource } = await container.read();
    assert.deepEqual(resource?.partitionKey, { paths: ['/pkkey'], kind: 'Hash', version: 2 });
    assert.equal(resource?.defaultTtl, -1);
    assert.equal((await container.item('kept', 'kept').read()).statusCode, 200);
  });

  it('store items and count requests', async () => {
    const container = client.database(names.database).container(names.container);
    const requests = cosmos.requests();
    await container.items.upsert({ id: 'a:1', pkkey: 'a:1', row: { n: 1 } });
    const { resource } = await container.item('a:1', 'a:1').read();
    assert.deepEqual(resource?.row, { n: 1 });
    assert.ok(cosmos.requests() >= requests + 2);
  });

  it('store blobs in the containers of the app and count requests', async () => {
    const service = BlobServiceClient.fromConnectionString(blob.connectionString);
    const containers = await Array.fromAsync(service.listContainers());
    assert.deepEqual(containers.map(({ name }) => name).sort(), ['dead-letters', 'large-values', 'parked']);

    const requests = blob.requests();
    const content = Uint8Array.of(0, 0xff, 1);
    const parked = service.getContainerClient('parked').getBlockBlobClient('group/1');
    await parked.upload(content, content.length, { conditions: { ifNoneMatch: '*' } });
    assert.deepEqual(new Uint8Array(await parked.downloadToBuffer()), content);
    assert.ok(blob.requests() >= requests + 2);
  });

  it('keep their data apart from other servers of this process', async (t) => {
    const other = await startBlobServer();
    t.after(() => other.close());
    const service = BlobServiceClient.fromConnectionString(other.connectionString);
    assert.deepEqual(await Array.fromAsync(service.listContainers()), []);
  });

  it('reject when the port is taken', async () => {
    const port = Number(new URL(blob.endpoint).port);
    await assert.rejects(startBlobServer({ port }), { code: 'EADDRINUSE' });
    await assert.rejects(startCosmosServer({ port }), { code: 'EADDRINUSE' });
  });
});

// Guards against a close that waits for keep-alive connections, timers that hold the process, and files of Azurite.
it('close with connections open, let the process end by itself and leave no files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'local-servers-'));
  t.after(() => rm(folder, { recursive: true }));
  const script = join(import.meta.dirname, 'startAndClose.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: folder, timeout: HANG_MS });
  assert.match(stdout, /closed\n$/);
  assert.deepEqual(await readdir(folder), []);
});
