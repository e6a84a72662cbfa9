import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import avro from 'avsc';
import fc from 'fast-check';
import { captureRecord, container } from './captureFixture.ts';
import { bodies, inputError, publishedMessage, readAll } from './inputs.ts';
import { temporaryFolder } from './temporaryFolder.ts';

for (const codec of ['null', 'deflate'] as const) {
  test(`reads the messages of a Capture file, codec ${codec}`, async (t) => {
    const body = await publishedMessage('segment-generation-insert');
    const records = [
      captureRecord({ SequenceNumber: 41, Offset: '4096', Body: body }),
      captureRecord({
        SequenceNumber: 42,
        Offset: '8192',
        EnqueuedTimeUtc: '8/7/2026 4:25:01 PM',
        SystemProperties: {
          'x-opt-partition-key': { string: 'dbo.Employees' },
          'x-opt-enqueued-time': { long: 1_786_119_901_000 },
          'x-opt-publisher': { string: 'p' },
        },
        Properties: {
          a: { long: 1 },
          b: { double: 0.5 },
          c: { string: 'x' },
          d: { bytes: Buffer.from([1]) },
        },
        Body: Buffer.from([0x00, 0xff]),
      }),
      captureRecord({ SequenceNumber: 43, Offset: '12288', Body: null }),
    ];
    const name = 'contoso/changes/3/2026/08/07/16/25/00.avro';
    const folder = await temporaryFolder(t, { [name]: await container(records, { codec }) });

    const common = { partitionId: '3', partitionKey: null, enqueuedTime: '2026-08-07T16:25:00.000Z' };
    const later = { enqueuedTime: '2026-08-07T16:25:01.000Z', partitionKey: 'dbo.Employees' };
    const expected = [
      {
        partitionId: '3',
        messages: [
          { ...common, body, sequenceNumber: 41, offset: '4096' },
          { ...common, ...later, body: Buffer.from([0x00, 0xff]), sequenceNumber: 42, offset: '8192' },
          { ...common, body: new Uint8Array(), sequenceNumber: 43, offset: '12288' },
        ],
      },
    ];
    assert.deepEqual(await readAll(folder), expected);
    assert.deepEqual(await readAll(join(folder, name)), expected);
  });

  test(`keeps every message in order over many blocks, codec ${codec}`, async (t) => {
    const folder = await temporaryFolder(t);
    const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 1, maxLength: 250 }),
        fc.integer({ min: 1, max: 2000 }),
        async (sent, blockSize) => {
          const path = join(folder, 'capture.avro');
          const records = sent.map((Body, SequenceNumber) => captureRecord({ SequenceNumber, Body }));
          await writeFile(path, await container(records, { codec, blockSize }));
          const batches = await readAll(path);
          const received = batches.flatMap(({ messages }) => messages);
          assert.deepEqual(
            received.map((message) => Buffer.from(message.body)),
            sent,
          );
          assert.deepEqual(
            received.map((message) => message.sequenceNumber),
            sent.map((_, index) => index),
          );
          assert.ok(batches.every(({ messages }) => messages.length <= 100));
        },
      ),
      { numRuns: 30 },
    );
  });
}

test('reads a file of several megabytes and a message of one', async (t) => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  const records = Array.from({ length: 5 }, (_, SequenceNumber) =>
    captureRecord({ SequenceNumber, Body: megabyte }),
  );
  const folder = await temporaryFolder(t, { 'a.avro': await container(records) });
  const [batch] = await readAll(join(folder, 'a.avro'));
  assert.deepEqual(
    batch?.messages.map(({ body }) => body.length),
    records.map(() => megabyte.length),
  );
});

test('a property of the sender that is not exact as a double is no obstacle', async (t) => {
  const properties = { big: { long: Number.MAX_SAFE_INTEGER - 1 } };
  const content = await container([captureRecord({ Properties: properties })]);
  const safe = Buffer.from('fcffffffffffff1f', 'hex');
  const at = content.indexOf(safe);
  assert.notEqual(at, -1);
  content.fill(Buffer.from('fcffffffffffff7f', 'hex'), at, at + safe.length);
  const folder = await temporaryFolder(t, { 'a.avro': content });
  assert.deepEqual(bodies(await readAll(folder)), [['x']]);
});

test('Capture files without messages are passed over among others', async (t) => {
  const folder = await temporaryFolder(t, {
    '0/2026/08/07/16/25/00.avro': await container([]),
    '0/2026/08/07/16/26/00.avro': await container([captureRecord({})]),
    '1/2026/08/07/16/25/00.avro': await container([], { codec: 'deflate' }),
  });
  assert.deepEqual(bodies(await readAll(folder)), [['x']]);
});

test('an input without any message is an error', async (t) => {
  const folder = await temporaryFolder(t, { 'a.avro': await container([]), 'b.jsonl': '\n' });
  const path = join(folder, 'a.avro');
  await assert.rejects(readAll(path), inputError(path, 'holds no messages'));
  await assert.rejects(readAll(folder), inputError(folder, 'holds no messages'));
});

async function rejectsCapture(t: TestContext, content: Uint8Array, problem: string): Promise<void> {
  const folder = await temporaryFolder(t, { 'a.avro': content });
  const path = join(folder, 'a.avro');
  await assert.rejects(readAll(path), inputError(path, 'as an Event Hubs Capture file', problem, 'copy it'));
}

test('a file that was cut short is refused as a whole, wherever it was cut', async (t) => {
  const records = Array.from({ length: 20 }, (_, SequenceNumber) => captureRecord({ SequenceNumber }));
  const whole = await container(records, { blockSize: 200 });
  for (const length of [4, 5, 100, whole.length - 40, whole.length - 16, whole.length - 1]) {
    await rejectsCapture(t, whole.subarray(0, length), 'cut short');
  }
});

test('a damaged block is an error', async (t) => {
  const whole = await container([captureRecord({ Body: Buffer.alloc(500) })], { codec: 'deflate' });
  const damaged = Buffer.from(whole).fill(0xff, whole.length - 30, whole.length - 16);
  await rejectsCapture(t, damaged, 'decompression error');
});

test('another codec is an error that names it', async (t) => {
  await rejectsCapture(t, await container([captureRecord({})], { codec: 'snappy' }), 'snappy');
});

test('a container of other records is an error', async (t) => {
  const type = avro.Type.forSchema({ type: 'record', name: 'Other', fields: [{ name: 'a', type: 'int' }] });
  await rejectsCapture(t, await container([{ a: 1 }], { type }), 'EventData');
});

test('a record with a time of another form is an error', async (t) => {
  await rejectsCapture(
    t,
    await container([captureRecord({ EnqueuedTimeUtc: 'yesterday' })]),
    'EnqueuedTimeUtc',
  );
});
