import type { InputMessage } from './batches.ts';
import { InputError } from './inputError.ts';
import type { InputFile } from './inputFiles.ts';
import { readLines } from './readLines.ts';
import { parseRecordingLine } from './recordingLine.ts';

/**
 * Reads a recording: one message a line, in the order of the lines; blank lines are allowed. Bodies are taken
 * as they are, broken ones too: they are messages as the hub held them.
 *
 * @throws {InputError} at the first line that is not a recorded message, with its number
 */
export async function* readRecording(file: InputFile): AsyncGenerator<InputMessage> {
  for await (const line of readLines(file.path)) {
    if (line.text.trim() === '') {
      continue;
    }
    const recorded = parseRecordingLine(line.text);
    if (typeof recorded === 'string') {
      throw new InputError(
        file.path,
        `line ${line.number} is not a recorded message: ${recorded}; ${LINE_FORM}`,
      );
    }
    yield { message: recorded.message, group: `${file.path}#${recorded.batch}` };
  }
}

const LINE_FORM =
  'a line is {"partition":"0","sequenceNumber":0,"offset":"0","enqueuedTime":"2026-08-07T16:25:00Z","partitionKey":null,"bodyText":"..."}';
