import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import { BlobServiceClient } from '@azure/storage-blob';
import { startLocalServers } from '../../local/run/localServers.ts';
import { createServices } from '../../src/createServices.ts';
import { replicate } from '../../src/pipeline.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const root = join(import.meta.dirname, '..', '..');
const LARGE = 'large \u{1f600} '.repeat(2_000);

/** The program of the page, as it is there; it finds the entry for readers as a program beside this package does. */
async function example(): Promise<(...args: unknown[]) => Promise<unknown>> {
  const page = await readFile(join(root, 'docs', 'reading.md'), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(code !== undefined);
  const folder = await mkdtemp(join(root, 'dist', 'example-'));
  try {
    await writeFile(join(folder, 'example.mjs'), code);
    return (await import(join(folder, 'example.mjs'))).readRow;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the program of docs/reading.md reads rows, with texts that do not fit into an item', async () => {
  const servers = await startLocalServers(false);
  try {
    const { settings } = servers;
    const config = { REPLICA_CONFIG: JSON.stringify({ tables: { 'shop.dbo.*': { itemBytes: 16_384 } } }) };
    const services = createServices(readSettings({ ...servers.environment, ...config }));
    const row = { Id: '1', Name: LARGE, note: 'small' };
    const events = [
      insertEvent(1, 1, { current: JSON.stringify(row) }),
      insertEvent(2, 2),
      insertEvent(2, 3, { operation: 'DEL', old: '{"Id":"2"}', current: '{}' }),
    ];
    const { report } = await replicate(hubMessages(events.map((event) => jsonMessage(event))), services);
    assert.equal(report.largeValues, 1);

    const readRow = await example();
    const client = new CosmosClient({
      endpoint: settings.COSMOS_ENDPOINT,
      key: settings.COSMOS_KEY,
      connectionPolicy: { enableEndpointDiscovery: false },
    });
    const rows = client.database(settings.COSMOS_DATABASE).container(settings.COSMOS_CONTAINER);
    const values = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING).getContainerClient(
      'large-values',
    );
    const table = { db: 'shop', schema: 'dbo', name: 'Items' };
    const id = documentId(table, ['1']);
    const { resource } = await rows.item(id, id).read();
    assert.deepEqual(Object.keys(resource.row.Name), ['$blob', 'bytes', 'sha256']);
    assert.deepEqual(await readRow(rows, values, table, ['1']), { Id: 1, Name: LARGE, note: 'small' });
    assert.equal(await readRow(rows, values, table, ['2']), undefined);
    assert.equal(await readRow(rows, values, table, ['3']), undefined);
    client.dispose();
  } finally {
    await servers.close();
  }
});
