import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import pMap from 'p-map';
import { type BlobServer, startBlobServer } from '../../local/servers/blobServer.ts';
import { BlobDeadLetterArchive } from '../../src/deadletter/blobDeadLetterArchive.ts';
import { BlobDeadLetters } from '../../src/deadletter/blobDeadLetters.ts';
import type { LetterFilter } from '../../src/deadletter/letterFilter.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { BLOB_CONCURRENCY, LETTERS_PER_PAGE } from '../../src/limits.ts';
import { hubMessages } from '../support/hubMessages.ts';

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

async function namesOf(archive: BlobDeadLetterArchive, filter: LetterFilter): Promise<string[]> {
  const names: string[] = [];
  for await (const page of archive.list(filter, signal)) names.push(...page.map(({ name }) => name));
  return names;
}

test('a letter is listed, fetched as it was received, and removed once', async () => {
  const archive = new BlobDeadLetterArchive(container);
  const bodies = [Buffer.from([0, 255, 1]), Buffer.alloc(0)];
  const [message, empty] = hubMessages(bodies, 4711, '3');
  assert.ok(message && empty);
  const table = { db: 'shop', schema: 'dbo', name: 'Größe' };
  const letters = new BlobDeadLetters(container);
  await letters.put({ message, error: new DataError('no-key', 'pkkey is empty'), table }, signal);
  await letters.put({ message: empty, error: new DataError('empty-message', 'no body') }, signal);

  const [name = '', ...others] = await namesOf(archive, { table: 'shop.dbo.Größe' });
  assert.deepEqual(others, []);
  const letter = await archive.fetch(name, signal);
  assert.deepEqual(letter?.body, message.body);
  assert.deepEqual(letter.source, message.source);
  assert.deepEqual([letter.reason, letter.message, letter.bytes], ['no-key', 'pkkey is empty', 3]);
  const [emptyName = ''] = await namesOf(archive, { code: 'empty-message', day: '2026-08-07' });
  assert.deepEqual((await archive.fetch(emptyName, signal))?.body, empty.body);

  assert.equal(await archive.remove(name, signal), true);
  assert.equal(await archive.remove(name, signal), false);
  assert.equal(await archive.fetch(name, signal), undefined);
  assert.deepEqual(await namesOf(archive, {}), [emptyName]);
});

test('more letters than a page holds are all listed, in the order of their names', async () => {
  const many = service.getContainerClient('many');
  await many.create();
  const names = Array.from({ length: LETTERS_PER_PAGE + 5 }, (_, index) => {
    return `2026-08-0${1 + (index % 2)}/${index % 3 === 0 ? 'no-key' : 'no-row'}/0-${String(index).padStart(5, '0')}-0`;
  });
  await pMap(names, (name) => many.getBlockBlobClient(name).upload('x', 1), {
    concurrency: BLOB_CONCURRENCY,
  });
  const archive = new BlobDeadLetterArchive(many);
  const sorted = names.toSorted();
  assert.deepEqual(await namesOf(archive, {}), sorted);
  const expected = sorted.filter((name) => name.startsWith('2026-08-01/no-row/'));
  assert.deepEqual(await namesOf(archive, { day: '2026-08-01', code: 'no-row' }), expected);
});

test('a container that is not there is an outage, not a letter that is gone', async () => {
  const archive = new BlobDeadLetterArchive(service.getContainerClient('absent'));
  const expected = { name: OutageError.name, message: /ContainerNotFound\); try again$/ };
  await assert.rejects(namesOf(archive, {}), expected);
  await assert.rejects(archive.fetch('a/b/c', signal), expected);
  await assert.rejects(archive.remove('a/b/c', signal), expected);
});
