import { readFile } from 'node:fs/promises';
import avro from 'avsc';
import type { HubBatch } from '../../../local/hubMessage.ts';
import { InputError } from '../../../local/input/inputError.ts';
import { readInput } from '../../../local/input/readInput.ts';

/** A published CES message by its name in `test/cases`. */
export function publishedMessage(name: string): Promise<Buffer> {
  return readFile(new URL(`../../cases/${name}.json`, import.meta.url));
}

/** The bytes of a CloudEvent in CES's binary encoding. */
export async function binaryMessage(data: Uint8Array = Buffer.from([0])): Promise<Buffer> {
  const schema = await readFile(new URL('../../cases/change-event.avsc', import.meta.url), 'utf8');
  return avro.Type.forSchema(JSON.parse(schema)).toBuffer({
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id: 'a',
    logicalid: 'b',
    time: '2026-08-07T16:25:00.890Z',
    datacontenttype: 'application/avro-binary',
    operation: 'INS',
    segmentindex: 0,
    finalsegment: true,
    data: Buffer.from(data),
  });
}

/** A line of a recording with a text body. */
export function recordingLine(fields: object): string {
  const { bodyText = 'x', ...others } = { bodyText: undefined, ...fields };
  const body = 'body' in fields ? {} : { bodyText };
  return JSON.stringify({
    partition: '0',
    sequenceNumber: 0,
    offset: '0',
    enqueuedTime: '2026-08-07T16:25:00.890Z',
    partitionKey: null,
    ...body,
    ...others,
  });
}

/** Everything `readInput` gives. */
export async function readAll(path: string): Promise<HubBatch[]> {
  return await Array.fromAsync(readInput(path));
}

/** The bodies of batches as text, one list a batch. */
export function bodies(batches: readonly HubBatch[]): string[][] {
  return batches.map(({ messages }) => messages.map(({ body }) => Buffer.from(body).toString('utf8')));
}

/** For `assert.rejects`: an InputError of one line about this path, with this in it. */
export function inputError(path: string, ...parts: readonly string[]): (error: unknown) => boolean {
  return (error) =>
    error instanceof InputError &&
    error.message.startsWith(`${path}: `) &&
    !error.message.includes('\n') &&
    parts.every((part) => error.message.includes(part));
}
