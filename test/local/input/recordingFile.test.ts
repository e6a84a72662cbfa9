import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MAX_LINE_BYTES } from '../../../local/input/limits.ts';
import { bodies, inputError, readAll, recordingLine } from './inputs.ts';
import { temporaryFolder } from './temporaryFolder.ts';

async function recording(t: TestContext, content: string | Uint8Array): Promise<string> {
  return join(await temporaryFolder(t, { 'a.jsonl': content }), 'a.jsonl');
}

test('keeps the order of lines; a batch ends where the partition or the batch number changes', async (t) => {
  const lines = [
    recordingLine({ bodyText: 'a' }),
    recordingLine({ bodyText: 'b' }),
    recordingLine({ bodyText: 'c', partition: '1' }),
    recordingLine({ bodyText: 'd', batch: 1 }),
    recordingLine({ bodyText: 'e', batch: 1 }),
    recordingLine({ bodyText: 'e', batch: 2 }),
  ];
  const path = await recording(t, lines.join('\n'));
  assert.deepEqual(bodies(await readAll(path)), [['a', 'b'], ['c'], ['d', 'e'], ['e']]);
});

test('a batch ends at 100 messages', async (t) => {
  const lines = Array.from({ length: 250 }, () => recordingLine({}));
  const batches = await readAll(await recording(t, lines.join('\n')));
  assert.deepEqual(
    batches.map(({ messages }) => messages.length),
    [100, 100, 50],
  );
});

test('blank lines, carriage returns, a byte order mark and line separators in text are no obstacle', async (t) => {
  const content = `\ufeff\r\n${recordingLine({ bodyText: 'a\u2028b' })}\r\n\n  \n${recordingLine({ bodyText: 'c' })}\n`;
  const path = await recording(t, content);
  assert.deepEqual(bodies(await readAll(path)), [['a\u2028b', 'c']]);
});

test('broken bodies are messages like others', async (t) => {
  const path = await recording(
    t,
    [recordingLine({ bodyText: '{' }), recordingLine({ body: '/w==' })].join('\n'),
  );
  const [batch] = await readAll(path);
  assert.deepEqual(
    batch?.messages.map(({ body }) => body),
    [Buffer.from('{'), Buffer.from([0xff])],
  );
});

test('a line that is no recorded message is an error with its number', async (t) => {
  const lines = ['', recordingLine({}), '', '{"partition":"0"}', recordingLine({})];
  const path = await recording(t, lines.join('\n'));
  await assert.rejects(
    readAll(path),
    inputError(path, 'line 4 is not a recorded message: sequenceNumber: ', 'a line is {"partition":"0"'),
  );
});

test('a CES message where a recorded one is expected is an error', async (t) => {
  const path = await recording(t, '{"specversion":"1.0","data":"{}"}');
  await assert.rejects(readAll(path), inputError(path, 'line 1 is not a recorded message'));
});

test('a line that is not UTF-8 is an error with its number', async (t) => {
  const path = await recording(
    t,
    Buffer.concat([Buffer.from(`${recordingLine({})}\n`), Buffer.from([0xff])]),
  );
  await assert.rejects(readAll(path), inputError(path, 'line 2 is not UTF-8'));
});

test('a line over the limit is an error before it is in memory', async (t) => {
  const path = await recording(t, Buffer.alloc(MAX_LINE_BYTES + 1, ' '));
  await assert.rejects(readAll(path), inputError(path, 'has a line of more than 41 MiB'));
});
