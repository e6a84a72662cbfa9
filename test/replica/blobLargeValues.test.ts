import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type BlobServer, startBlobServer } from '../../local/servers/blobServer.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { BlobLargeValues } from '../../src/replica/blobLargeValues.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { largeValueName, slicePrefix } from '../../src/replica/largeValueName.ts';
import type { FoundValue, LargeValue } from '../../src/replica/largeValues.ts';
import { purchases, versionNumber } from './changeOf.ts';

const { signal } = new AbortController();
let server: BlobServer;
let service: BlobServiceClient;
let container: ContainerClient;
let values: BlobLargeValues;

before(async () => {
  server = await startBlobServer();
  service = BlobServiceClient.fromConnectionString(server.connectionString);
  container = service.getContainerClient('large-values');
  await container.create();
  values = new BlobLargeValues(container);
});
after(() => server.close());

/** The id is as long as one can be, with every character that one can hold. */
const id = documentId(purchases, ['~/漢 '.repeat(200)]);
const sample = (folder: string, version = 1): LargeValue => ({
  name: largeValueName(folder, id, versionNumber(version), 'a'.repeat(64)),
  id,
  text: `漢\ufeff\u0000${version}`,
});

async function found(folder: string): Promise<FoundValue[]> {
  const slice = Number.parseInt(sample(folder).name.split('/')[1] ?? '', 16);
  const all: FoundValue[] = [];
  for await (const page of values.list(slicePrefix(folder, slice), signal)) all.push(...page);
  return all;
}

test('a value is stored once, as UTF-8, with the row that it belongs to', async () => {
  const value = sample('once');
  assert.equal(await values.age(value.name, signal), undefined);
  assert.equal(await values.create(value, signal), true);
  assert.equal(await values.create({ ...value, text: 'other' }, signal), false);
  const age = await values.age(value.name, signal);
  assert.ok(age !== undefined && age >= 0 && age < 3_600, `${age}`);
  assert.deepEqual(await container.getBlobClient(value.name).downloadToBuffer(), Buffer.from(value.text));
  const [only, ...others] = await found('once');
  assert.deepEqual([only?.name, only?.id, others.length], [value.name, id, 0]);
  assert.ok(only !== undefined && only.ageSeconds >= 0);
});

test('of many that store one value at once, one does', async () => {
  const value = sample('race');
  const stored = await Promise.all(Array.from({ length: 20 }, () => values.create(value, signal)));
  assert.equal(stored.filter((one) => one).length, 1);
});

test('what was found is removed, but not when it was renewed since; names are listed in order', async () => {
  for (const version of [3, 1, 2]) await values.create(sample('remove', version), signal);
  const [first, second, third] = await found('remove');
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.deepEqual([first.name, third.name], [sample('remove', 1).name, sample('remove', 3).name]);
  await values.renew(sample('remove', 2), signal);
  assert.equal(await values.remove(first, signal), true);
  assert.equal(await values.remove(first, signal), false);
  assert.equal(await values.remove(second, signal), false);
  assert.deepEqual(
    (await found('remove')).map(({ name }) => name),
    [second.name, third.name],
  );
});

test('blobs that tell no row are passed over', async () => {
  const slice = sample('theirs').name.split('/')[1];
  await container.getBlockBlobClient(`theirs/${slice}/x`).upload('x', 1);
  assert.deepEqual(await found('theirs'), []);
});

test('without the container, or in time, it is an outage that says what was being done', async () => {
  const missing = new BlobLargeValues(service.getContainerClient('missing'));
  const value = sample('x');
  const aborted = AbortSignal.abort();
  for (const [text, call] of [
    ['storing a large value', () => missing.create(value, signal)],
    ['renewing a large value', () => missing.renew(value, signal)],
    ['listing large values', () => missing.list('x', signal)[Symbol.asyncIterator]().next()],
    ['looking for a large value', () => values.age(value.name, aborted)],
    ['removing a large value', () => values.remove({ ...value, ageSeconds: 0, etag: '"e"' }, aborted)],
  ] as const)
    await assert.rejects(call(), (error) => error instanceof OutageError && error.message.includes(text));
});
