import { readFile, stat } from 'node:fs/promises';
import { unreadable } from '../../input/inputError.ts';
import { findInputFiles, type InputFile, type OnSkip } from '../../input/inputFiles.ts';
import { MAX_MESSAGE_BYTES } from '../../input/limits.ts';
import { readInput } from '../../input/readInput.ts';
import { recogniseFile } from '../../input/recogniseFile.ts';

/** A message and where it was found. */
export interface PlacedMessage {
  readonly place: string;
  readonly body: Buffer;
}

/**
 * The messages of a file or folder, as `npm run local` reads them. A single file that is none of them is a message all
 * the same: that it is a wrong one is what is to be explained.
 * @throws InputError when the path cannot be read
 */
export async function* readMessages(path: string, onSkip: OnSkip): AsyncGenerator<PlacedMessage> {
  if (await isWrongMessage(path)) {
    yield { place: path, body: await bytesOf(path) };
    return;
  }
  for (const file of await findInputFiles(path, onSkip)) yield* messagesOf(file);
}

async function* messagesOf({ path, kind }: InputFile): AsyncGenerator<PlacedMessage> {
  if (kind === 'message') {
    yield { place: path, body: await bytesOf(path) };
    return;
  }
  for await (const { messages } of readInput(path)) {
    for (const { body, partitionId, sequenceNumber } of messages)
      yield { place: `${path}, partition ${partitionId}, number ${sequenceNumber}`, body: Buffer.from(body) };
  }
}

async function isWrongMessage(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_MESSAGE_BYTES) return false;
    return (await recogniseFile(path, stats.size)).kind === 'unknown';
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
