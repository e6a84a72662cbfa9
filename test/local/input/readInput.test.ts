import assert from 'node:assert/strict';
import { chmod, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAX_MESSAGE_BYTES, MAX_STREAMED_FILE_BYTES } from '../../../local/input/limits.ts';
import { readInput } from '../../../local/input/readInput.ts';
import { captureRecord, container } from './captureFixture.ts';
import { binaryMessage, bodies, inputError, publishedMessage, readAll, recordingLine } from './inputs.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const NO_MESSAGE = 'it has neither "specversion" and "data" (CES) nor "source" and "op" (Debezium)';
const CASES = fileURLToPath(new URL('../../cases', import.meta.url));

test('a JSON message file is one message, its bytes untouched', async (t) => {
  const published = await publishedMessage('segment-generation-insert');
  const content = Buffer.concat([Buffer.from('\ufeff \n'), published]);
  const folder = await temporaryFolder(t, { 'a.json': content });
  const path = join(folder, 'a.json');
  await utimes(path, 0, new Date('2026-08-07T16:25:00.890Z'));
  assert.deepEqual(await readAll(path), [
    {
      partitionId: '0',
      messages: [
        {
          body: content,
          partitionId: '0',
          sequenceNumber: 0,
          offset: '0',
          enqueuedTime: '2026-08-07T16:25:00.890Z',
          partitionKey: null,
        },
      ],
    },
  ]);
});

test('an Avro message file is one message, also with another extension', async (t) => {
  const content = await binaryMessage();
  const folder = await temporaryFolder(t, { 'a.avro': content, b: content, 'c.jsonl': content });
  for (const name of ['a.avro', 'b', 'c.jsonl']) {
    const [batch] = await readAll(join(folder, name));
    assert.deepEqual(batch?.messages[0]?.body, content);
  }
});

test('a JSON message whose text was cut inside a character is still a message', async (t) => {
  const content = Buffer.concat([
    Buffer.from('{"specversion":"1.0","data":"'),
    Buffer.from([0xc3]),
    Buffer.from('"}'),
  ]);
  const folder = await temporaryFolder(t, { 'a.json': content });
  const [batch] = await readAll(join(folder, 'a.json'));
  assert.deepEqual(batch?.messages[0]?.body, content);
});

test('the published messages become one stream in name order; the schemas are skipped', async () => {
  const skipped: string[] = [];
  const batches = await Array.fromAsync(readInput(CASES, { onSkip: (path) => skipped.push(path) }));
  const names = ['changed-columns-only-base1', 'segment-generation-delete', 'segment-generation-insert'];
  assert.equal(batches.length, 1);
  const messages = batches[0]?.messages ?? [];
  assert.equal(messages.length, 7);
  for (const [index, name] of names.entries()) {
    assert.deepEqual(messages[index]?.body, await publishedMessage(name));
    assert.equal(messages[index]?.sequenceNumber, index);
  }
  assert.equal(messages[1]?.offset, String(messages[0]?.body.length));
  assert.deepEqual(
    skipped,
    ['change-event', 'data-with-finalevent', 'data-without-finalevent'].map((name) =>
      join(CASES, `${name}.avsc`),
    ),
  );
});

test('message files are delivered in batches of 100', async (t) => {
  const files = Array.from({ length: 201 }, (_, index) => [
    `${1000 + index}.json`,
    cesMessage(String(index)),
  ]);
  const batches = await readAll(await temporaryFolder(t, Object.fromEntries(files)));
  assert.deepEqual(
    batches.map(({ messages }) => messages.length),
    [100, 100, 1],
  );
  assert.deepEqual(
    bodies(batches).flat(),
    files.map(([, content]) => content),
  );
});

test('a folder is read recursively in name order, each kind as its own batches', async (t) => {
  const folder = await temporaryFolder(t, {
    'a/2.json': cesMessage('a2'),
    'a/1.json': cesMessage('a1'),
    'b.jsonl': recordingLine({ bodyText: 'b1' }),
    'bb/4/2026/08/07/16/25/00.avro': await container([captureRecord({ Body: Buffer.from('b2') })]),
    'c.json': cesMessage('c'),
    'notes.txt': 'not a message',
    'other.json': '{"name":"x"}',
  });
  const skipped: string[] = [];
  const batches = await Array.fromAsync(
    readInput(folder, { onSkip: (path, reason) => skipped.push(`${path}: ${reason}`) }),
  );
  assert.deepEqual(bodies(batches), [
    [cesMessage('a1'), cesMessage('a2')],
    ['b1'],
    ['b2'],
    [cesMessage('c')],
  ]);
  assert.deepEqual(
    batches.map(({ partitionId }) => partitionId),
    ['0', '0', '4', '0'],
  );
  assert.equal(batches[3]?.messages[0]?.sequenceNumber, 2);
  assert.deepEqual(skipped, [
    `${join(folder, 'notes.txt')}: it is neither JSON nor Avro`,
    `${join(folder, 'other.json')}: ${NO_MESSAGE}`,
  ]);
});

test('links in a folder are not followed', async (t) => {
  const folder = await temporaryFolder(t, { 'a.json': cesMessage('a') });
  await symlink(folder, join(folder, 'loop'));
  const skipped: string[] = [];
  const batches = await Array.fromAsync(readInput(folder, { onSkip: (path) => skipped.push(path) }));
  assert.equal(batches.length, 1);
  assert.deepEqual(skipped, [join(folder, 'loop')]);
});

test('a file whose first line is a recorded message is a recording, whatever its name', async (t) => {
  const lines = [recordingLine({ bodyText: 'a' }), recordingLine({ bodyText: 'b' })];
  const folder = await temporaryFolder(t, { 'two.json': lines.join('\n'), 'one.txt': lines[0] ?? '' });
  assert.deepEqual(bodies(await readAll(join(folder, 'two.json'))), [['a', 'b']]);
  assert.deepEqual(bodies(await readAll(join(folder, 'one.txt'))), [['a']]);
});

const notMessages: readonly (readonly [string, string, string, string])[] = [
  ['text', 'a.json', 'hello', 'it is neither JSON nor Avro'],
  ['JSON that breaks off', 'a.json', '{"specversion":"1.0","data":', 'it is neither JSON nor Avro'],
  ['JSON without an envelope', 'a.json', '{"id":1}', NO_MESSAGE],
  ['an envelope without data', 'a.json', '{"specversion":"1.0"}', NO_MESSAGE],
  ['a JSON array', 'a.json', '[]', NO_MESSAGE],
  ['a JSON null', 'a.json', 'null', NO_MESSAGE],
  ['an empty file', 'a.json', '', 'it is empty'],
  ['an Avro schema', 'a.avsc', '{"type":"string"}', NO_MESSAGE],
  ['an .avro file of other bytes', 'a.avro', '\x02\x03', 'it is neither JSON nor Avro'],
];
for (const [name, file, content, problem] of notMessages) {
  test(`a named file that is no message is an error: ${name}`, async (t) => {
    const folder = await temporaryFolder(t, { [file]: content });
    const path = join(folder, file);
    const expected = inputError(
      path,
      `is no message of CES or Debezium: ${problem}; give a message of CES or Debezium`,
    );
    await assert.rejects(readAll(path), expected);
  });
}

test('a missing path is an error', async (t) => {
  const path = join(await temporaryFolder(t), 'missing');
  await assert.rejects(readAll(path), inputError(path, 'does not exist; give a message of CES or Debezium'));
});

test('a folder that is empty or has nothing readable is an error', async (t) => {
  const empty = await temporaryFolder(t);
  await assert.rejects(readAll(empty), inputError(empty, 'has no message files in it; give'));
  const useless = await temporaryFolder(t, { 'a.avsc': '{}', 'sub/b.txt': 'x' });
  await assert.rejects(readAll(useless), inputError(useless, 'has no message files in it; give'));
});

test('what is neither a file nor a folder is an error', { skip: process.platform === 'win32' }, async () => {
  await assert.rejects(readAll('/dev/null'), inputError('/dev/null', 'is neither a file nor a folder'));
});

test('a folder or file that may not be read is an error', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = await temporaryFolder(t, { 'closed/a.json': cesMessage('a'), 'b.json': cesMessage('b') });
  const closed = join(folder, 'closed');
  const file = join(folder, 'b.json');
  await chmod(folder, 0o755);
  await chmod(closed, 0o000);
  await chmod(file, 0o000);
  await asOrdinaryUser(async () => {
    await assert.rejects(
      readAll(closed),
      inputError(closed, 'cannot be read (EACCES); check its permissions'),
    );
    await assert.rejects(readAll(folder), inputError(closed, 'cannot be read (EACCES)'));
    await assert.rejects(readAll(file), inputError(file, 'cannot be read (EACCES)'));
  });
  await chmod(closed, 0o755);
});

test('files over the limits are errors that name them', async (t) => {
  const folder = await temporaryFolder(t, { 'big.avro': 'Obj\x01', 'big.jsonl': '', 'big.json': '{' });
  await truncate(join(folder, 'big.avro'), MAX_STREAMED_FILE_BYTES + 1);
  await truncate(join(folder, 'big.jsonl'), MAX_STREAMED_FILE_BYTES + 1);
  await truncate(join(folder, 'big.json'), MAX_MESSAGE_BYTES + 1);
  for (const name of ['big.avro', 'big.jsonl']) {
    const path = join(folder, name);
    await assert.rejects(readAll(path), inputError(path, 'has 513 MiB, the limit is 512 MiB; split it'));
  }
  const message = join(folder, 'big.json');
  await assert.rejects(readAll(message), inputError(message, 'it has more than 20 MiB'));
});

test('folders deeper than the limit are an error', async (t) => {
  const deep = Array.from({ length: 33 }, () => 'd').join('/');
  const folder = await temporaryFolder(t, { [`${deep}/a.json`]: cesMessage('a') });
  await assert.rejects(readAll(folder), inputError(join(folder, deep), 'more than 32 folders deep'));
});

test('reading can stop early, before a line that is wrong', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'a.jsonl');
  await writeFile(path, [...Array.from({ length: 150 }, () => recordingLine({})), 'wrong'].join('\n'));
  const reading = readInput(path);
  const first = await reading.next();
  assert.equal(first.value?.messages.length, 100);
  await reading.return(undefined);
  assert.deepEqual(await reading.next(), { done: true, value: undefined });
});

/** A CES envelope as far as the readers look at it. */
function cesMessage(id: string): string {
  return JSON.stringify({ specversion: '1.0', id, data: '{}' });
}

/** Runs `action` without the rights of root, which may read everything. */
async function asOrdinaryUser(action: () => Promise<void>): Promise<void> {
  const nobody = 65_534;
  if (process.geteuid?.() !== 0) {
    return action();
  }
  process.seteuid?.(nobody);
  try {
    await action();
  } finally {
    process.seteuid?.(0);
  }
}
