import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type BlobServer, startBlobServer } from '../../local/servers/blobServer.ts';
import { BlobDeadLetters } from '../../src/deadletter/blobDeadLetters.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { insertEvent } from '../support/testEvent.ts';

const { signal } = new AbortController();
let server: BlobServer;
let service: BlobServiceClient;
let container: ContainerClient;

before(async () => {
  server = await startBlobServer();
  service = BlobServiceClient.fromConnectionString(server.connectionString);
  container = service.getContainerClient('letters');
  await container.create();
});
after(() => server.close());

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of container.listBlobsFlat()) found.push(name);
  return found;
}

test('a dead letter holds the original bytes and the reason; the same one again changes nothing', async () => {
  const letters = new BlobDeadLetters(container);
  const [message] = hubMessages([avroMessage(insertEvent(1, 1))], 4711, '3');
  assert.ok(message !== undefined);
  const error = new DataError('no-key', `pkkey is empty: ${'漢 '.repeat(1000)}`);
  const letter = { message, error, table: { db: 'shop', schema: 'dbo', name: 'Größe' }, key: [] };
  await letters.put(letter, signal);
  await letters.put({ ...letter, message: { ...message } }, signal);
  const [name = '', ...others] = await names();
  assert.deepEqual(others, []);
  assert.match(name, /^2026-08-07\/no-key\/3-4711-[0-9a-f]{16}$/);
  const blob = container.getBlobClient(name);
  assert.deepEqual(await blob.downloadToBuffer(), message.body);
  const { metadata = {} } = await blob.getProperties();
  assert.equal(metadata['reason'], 'no-key');
  assert.equal(metadata['sequencenumber'], '4711');
  assert.equal(decodeURIComponent(metadata['table'] ?? ''), 'shop.dbo.Größe');
  assert.ok(error.message.startsWith(decodeURIComponent(metadata['message'] ?? '?')));
});

test('a message without a body is kept too', async () => {
  const letters = new BlobDeadLetters(container);
  const [message] = hubMessages([Buffer.alloc(0)]);
  assert.ok(message !== undefined);
  await letters.put({ message, error: new DataError('empty-message', 'the message has no body') }, signal);
  assert.ok((await names()).some((name) => name.includes('/empty-message/')));
});

test('a letter that cannot be kept is an outage', async () => {
  const letters = new BlobDeadLetters(service.getContainerClient('absent'));
  const [message] = hubMessages([Buffer.from('x')]);
  assert.ok(message !== undefined);
  await assert.rejects(letters.put({ message, error: new DataError('invalid-json', 'x') }, signal), {
    name: OutageError.name,
    message: 'Blob storage: putting a dead letter failed (ContainerNotFound); the batch comes again',
  });
});
