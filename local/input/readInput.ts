import type { HubBatch } from '../hubMessage.ts';
import { type InputMessage, toBatches } from './batches.ts';
import { readCaptureFile } from './captureFile.ts';
import { ACCEPTED_INPUT, InputError } from './inputError.ts';
import { findInputFiles, type InputFile, type OnSkip } from './inputFiles.ts';
import { MessageFileReader } from './messageFile.ts';
import { readRecording } from './recordingFile.ts';

export interface ReadInputOptions {
  /** Told of each file in a folder that is left out, and why. */
  readonly onSkip?: OnSkip;
}

/**
 * Reads the messages of a file or of all files in a folder, recursively and in name order (plain code unit
 * order, so `10` comes before `2`): message files (CES JSON or Avro), recordings, Event Hubs Capture files.
 * Files are found and recognised before the first batch; their content is streamed, so one batch of up to
 * 100 messages is in memory at a time and a broken line is found only when it is reached.
 *
 * @throws {InputError} while iterating, when the path or a file cannot be used or holds no messages
 */
export async function* readInput(path: string, options: ReadInputOptions = {}): AsyncGenerator<HubBatch> {
  const files = await findInputFiles(path, options.onSkip ?? ignore);
  let isEmpty = true;
  for await (const batch of toBatches(readFiles(files))) {
    isEmpty = false;
    yield batch;
  }
  if (isEmpty) {
    throw new InputError(path, `holds no messages; ${ACCEPTED_INPUT}`);
  }
}

async function* readFiles(files: readonly InputFile[]): AsyncGenerator<InputMessage> {
  const messageFiles = new MessageFileReader();
  for (const file of files) {
    switch (file.kind) {
      case 'message':
        yield await messageFiles.read(file);
        break;
      case 'recording':
        yield* readRecording(file);
        break;
      case 'capture':
        yield* readCaptureFile(file);
        break;
      default:
        file.kind satisfies never;
    }
  }
}

function ignore(): void {}
