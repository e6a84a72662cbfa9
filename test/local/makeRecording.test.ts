import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HubMessage } from '../../local/hubMessage.ts';
import { readInput } from '../../local/input/readInput.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import type { Segment } from '../../src/model/segment.ts';
import { temporaryFolder } from './input/temporaryFolder.ts';

const RECORDING = fileURLToPath(new URL('../../local/recording.jsonl', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../local/makeRecording.ts', import.meta.url));
const MAX_BYTES = 300_000;

test('local/recording.jsonl is what local/makeRecording.ts makes', async (t) => {
  const made = join(await temporaryFolder(t), 'made.jsonl');
  await promisify(execFile)(process.execPath, [SCRIPT, made]);
  const recorded = await readFile(RECORDING);
  assert.deepEqual(await readFile(made), recorded);
  assert.ok(recorded.length <= MAX_BYTES);
});

test('the recording has every generation and encoding, and one broken message', async () => {
  const messages = await recordedMessages();
  const text = messages.map(({ body }) => Buffer.from(body).toString('utf8'));
  const json = text.filter((body) => body.startsWith('{'));
  const has = (part: RegExp): boolean => json.some((body) => part.test(body));
  assert.ok(has(/"splittotalcnt": [1-9]/) && has(/"splittotalcnt": 0/));
  assert.ok(has(/"segmentindex": 0/) && has(/"segmentindex": 1/));
  assert.ok(json.length < messages.length, 'there is no Avro message');
  assert.equal(messages.length - segmentsOf(messages).length, 1);
});

test('split events are spread over partitions, out of order, and cut inside characters', async () => {
  const messages = await recordedMessages();
  const groups = Map.groupBy(segmentsOf(messages), ({ event }) => event);
  const split = [...groups.values()].filter((group) => group.some(({ segment }) => segment.index > 1));
  assert.ok(split.length >= 4);
  assert.ok(split.some((group) => new Set(group.map(({ message }) => message.partitionId)).size > 1));
  assert.ok(
    split.some((group) =>
      group.some(({ segment }, index) => segment.index < (group[index - 1]?.segment.index ?? 0)),
    ),
  );
  assert.ok(messages.some(({ body }) => body[0] === AVRO_START && endsInsideCharacter(body)));
});

test('messages come twice', async () => {
  const places = (await recordedMessages()).map(
    ({ partitionId, sequenceNumber }) => `${partitionId}/${sequenceNumber}`,
  );
  const bodies = (await recordedMessages()).map(({ body }) => Buffer.from(body).toString('latin1'));
  assert.ok(new Set(places).size < places.length || new Set(bodies).size < bodies.length);
});

/** First byte of an Avro envelope: the length of "1.0". */
const AVRO_START = 6;

/** The data of an Avro envelope is at its end. */
function endsInsideCharacter(body: Uint8Array): boolean {
  const end = body.subarray(-3);
  const lead = end.findLastIndex((byte) => byte >= 0b1100_0000);
  return lead >= 0 && end.length - lead < characterBytes(end[lead] ?? 0);
}

function characterBytes(lead: number): number {
  return lead >= 0b1111_0000 ? 4 : lead >= 0b1110_0000 ? 3 : 2;
}

async function recordedMessages(): Promise<HubMessage[]> {
  const batches = await Array.fromAsync(readInput(RECORDING));
  return batches.flatMap(({ messages }) => messages);
}

interface Read {
  readonly message: HubMessage;
  readonly segment: Segment;
  readonly event: string;
}

/** What the app reads; messages that it cannot read are left out. */
function segmentsOf(messages: readonly HubMessage[]): Read[] {
  return messages.flatMap((message) => {
    try {
      const segment = readMessage(Buffer.from(message.body));
      return [{ message, segment, event: JSON.stringify(segment.logicalId) }];
    } catch {
      return [];
    }
  });
}
