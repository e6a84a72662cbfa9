import { createReadStream } from 'node:fs';
import { InputError, unreadable } from './inputError.ts';
import { inMebibytes, MAX_LINE_BYTES } from './limits.ts';

/** A line of a text file without its line feed. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a UTF-8 file. Only a line feed ends a line: `node:readline` also splits at U+2028, which JSON
 * allows inside a string.
 *
 * @throws {InputError} for a line that is too long or not UTF-8, or if the file cannot be read
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 1;
  for await (const bytes of splitLines(path)) {
    try {
      yield { number, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch (cause) {
      throw new InputError(path, `line ${number} is not UTF-8; save the recording as UTF-8`, { cause });
    }
    number += 1;
  }
}

const LINE_FEED = 0x0a;

async function* splitLines(path: string): AsyncGenerator<Buffer> {
  const line = new PartialLine(path);
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      line.add(chunk.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  yield line.take();
}

/** The pieces of a line whose end is not read yet: joined once, so that long lines cost no repeated copies. */
class PartialLine {
  private readonly path: string;
  private pieces: Buffer[] = [];
  private length = 0;

  constructor(path: string) {
    this.path = path;
  }

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > MAX_LINE_BYTES) {
      const limit = inMebibytes(MAX_LINE_BYTES);
      throw new InputError(this.path, `has a line of more than ${limit}; a recording has one message a line`);
    }
    this.pieces.push(piece);
  }

  take(): Buffer {
    const line = Buffer.concat(this.pieces);
    this.pieces = [];
    this.length = 0;
    return line;
  }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
