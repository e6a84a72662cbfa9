import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HubBatch, HubMessage } from '../../../local/hubMessage.ts';
import { MAX_MESSAGE_BYTES } from '../../../local/input/limits.ts';
import { writeRecording } from '../../../local/input/writeRecording.ts';
import { publishedMessage, readAll } from './inputs.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => new Uint8Array(Buffer.from(text))),
  fc.json().map((text) => new Uint8Array(Buffer.from(JSON.stringify({ data: text })))),
);

const anyBatch: fc.Arbitrary<HubBatch> = fc.nat({ max: 9999 }).chain((partition) => {
  const partitionId = String(partition);
  const message: fc.Arbitrary<HubMessage> = fc.record({
    body: anyBody,
    partitionId: fc.constant(partitionId),
    sequenceNumber: fc.maxSafeNat(),
    offset: fc.string({ unit: 'binary' }),
    enqueuedTime: fc
      .date({ min: new Date('0001-01-01Z'), max: new Date('9999-12-31Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    partitionKey: fc.option(fc.string({ unit: 'binary' }), { nil: null }),
  });
  return fc.array(message, { minLength: 1, maxLength: 100 }).map((messages) => ({ partitionId, messages }));
});

/** Bodies as plain arrays: a Buffer and a Uint8Array of the same bytes are the same body. */
function plain(batches: readonly HubBatch[]): object[] {
  return batches.map(({ partitionId, messages }) => ({
    partitionId,
    messages: messages.map((message) => ({ ...message, body: [...message.body] })),
  }));
}

test('what was written is read back: the same batches, repeated messages too', async (t) => {
  const path = join(await temporaryFolder(t), 'a.jsonl');
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBatch, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (batches, repeat) => {
        const sent = repeat ? [...batches, ...batches] : batches;
        await writeRecording(path, sent);
        assert.deepEqual(plain(await readAll(path)), plain(sent));
      },
    ),
  );
});

test('batches can come from an async iterable, and a published message stays readable', async (t) => {
  const path = join(await temporaryFolder(t), 'a.jsonl');
  const body = await publishedMessage('split-generation-update');
  const batch = { partitionId: '0', messages: [message(body)] };
  await writeRecording(
    path,
    (async function* () {
      yield batch;
    })(),
  );
  const text = await readFile(path, 'utf8');
  assert.ok(text.endsWith('\n'));
  assert.equal(JSON.parse(text)['bodyText'], body.toString('utf8'));
});

test('the largest message is read back, as text and as bytes', async (t) => {
  const path = join(await temporaryFolder(t), 'a.jsonl');
  const quotes = Buffer.alloc(MAX_MESSAGE_BYTES, '"');
  const bytes = Buffer.alloc(MAX_MESSAGE_BYTES, 0xff);
  await writeRecording(path, [{ partitionId: '0', messages: [message(quotes), message(bytes)] }]);
  const [batch] = await readAll(path);
  assert.ok(quotes.equals(batch?.messages[0]?.body ?? bytes));
  assert.ok(bytes.equals(batch?.messages[1]?.body ?? quotes));
});

test('a batch that would not be read back as it is is refused', async (t) => {
  const path = join(await temporaryFolder(t), 'a.jsonl');
  const tooMany = Array.from({ length: 101 }, () => message(Buffer.from('x')));
  const large = message(Buffer.alloc(MAX_MESSAGE_BYTES + 1));
  const refused = [
    { partitionId: '0', messages: tooMany },
    { partitionId: '1', messages: [message(Buffer.from('x'))] },
    { partitionId: '0', messages: [large] },
  ];
  for (const batch of refused) {
    await assert.rejects(writeRecording(path, [batch]), RangeError);
  }
});

function message(body: Uint8Array): HubMessage {
  return {
    body,
    partitionId: '0',
    sequenceNumber: 0,
    offset: '0',
    enqueuedTime: '2026-08-07T16:25:00.890Z',
    partitionKey: null,
  };
}
