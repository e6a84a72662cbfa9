// Run as a process of its own: uses both servers over keep-alive connections, closes them and has to end by itself.
import { BlobServiceClient } from '@azure/storage-blob';
import { startBlobServer } from '../../../local/servers/blobServer.ts';
import { startCosmosServer } from '../../../local/servers/cosmosServer.ts';
import { createContainers } from '../../../local/servers/createContainers.ts';

const cosmos = await startCosmosServer();
const blob = await startBlobServer();
await createContainers(cosmos, blob, { database: 'replica', container: 'rows' });
await BlobServiceClient.fromConnectionString(blob.connectionString).getContainerClient('parked').exists();
const port = Number(new URL(blob.endpoint).port);
await startBlobServer({ port }).then(
  () => console.log('two servers on one port'),
  () => undefined,
);
await cosmos.close();
await blob.close();
console.log('closed');
