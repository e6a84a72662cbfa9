import { readFile } from 'node:fs/promises';
import type { InputMessage } from './batches.ts';
import { unreadable } from './inputError.ts';
import type { InputFile } from './inputFiles.ts';

/**
 * Reads message files as one stream on partition "0": each body is the bytes of its file, sequence numbers
 * and offsets count up in the order of reading, and the time of arrival is when the file was last changed.
 */
export class MessageFileReader {
  private sequenceNumber = 0;
  private offset = 0;

  /** @throws {InputError} if the file cannot be read */
  async read(file: InputFile): Promise<InputMessage> {
    const body = await bytesOf(file.path);
    const message = {
      body,
      partitionId: '0',
      sequenceNumber: this.sequenceNumber,
      offset: String(this.offset),
      enqueuedTime: file.modified.toISOString(),
      partitionKey: null,
    };
    this.sequenceNumber += 1;
    this.offset += body.length;
    return { message, group: 'message files' };
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
