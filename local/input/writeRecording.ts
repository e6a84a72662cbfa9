import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HubBatch } from '../hubMessage.ts';
import { inMebibytes, MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES } from './limits.ts';
import { formatRecordingLine } from './recordingLine.ts';

/**
 * Writes batches to a recording (.jsonl) that `readInput` reads back as the same batches in the same order.
 * An empty batch leaves no line. An existing file is replaced.
 *
 * @throws {RangeError} for a batch that would not be read back as it is: of more than 100 messages, or with
 *   a message of another partition or of more than 20 MiB
 */
export async function writeRecording(
  path: string,
  batches: Iterable<HubBatch> | AsyncIterable<HubBatch>,
): Promise<void> {
  await pipeline(Readable.from(linesOf(batches)), createWriteStream(path));
}

async function* linesOf(batches: Iterable<HubBatch> | AsyncIterable<HubBatch>): AsyncGenerator<string> {
  let number = 0;
  for await (const batch of batches) {
    checkBatch(batch);
    for (const message of batch.messages) {
      yield `${formatRecordingLine({ message, batch: number })}\n`;
    }
    number += 1;
  }
}

function checkBatch({ partitionId, messages }: HubBatch): void {
  if (messages.length > MAX_BATCH_MESSAGES) {
    throw new RangeError(
      `a recorded batch has at most ${MAX_BATCH_MESSAGES} messages, not ${messages.length}`,
    );
  }
  if (messages.some((message) => message.partitionId !== partitionId)) {
    throw new RangeError(`a recorded batch has messages of one partition, here ${partitionId}`);
  }
  if (messages.some((message) => message.body.length > MAX_MESSAGE_BYTES)) {
    throw new RangeError(`a recorded message has at most ${inMebibytes(MAX_MESSAGE_BYTES)}`);
  }
}
