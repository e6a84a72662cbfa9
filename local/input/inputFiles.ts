import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCEPTED_INPUT, InputError, unreadable } from './inputError.ts';
import { inMebibytes, MAX_FOLDER_DEPTH, MAX_FOLDER_ENTRIES, MAX_STREAMED_FILE_BYTES } from './limits.ts';
import { type InputKind, recogniseFile } from './recogniseFile.ts';

/** A file that can be replayed. */
export interface InputFile {
  readonly path: string;
  readonly kind: InputKind;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
}

/** Called with a file that is left out, and a short reason. */
export type OnSkip = (path: string, reason: string) => void;

/**
 * The file at `path`, or the files below the folder at `path` that can be replayed, in name order.
 *
 * @throws {InputError} for a path that is missing, unreadable or too large, a file of no known kind, and a
 *   folder with no file of a known kind
 */
export async function findInputFiles(path: string, onSkip: OnSkip): Promise<readonly InputFile[]> {
  const stats = await statOf(path);
  if (stats.isDirectory()) {
    return findInFolder(path, onSkip);
  }
  if (!stats.isFile()) {
    throw new InputError(path, `is neither a file nor a folder; ${ACCEPTED_INPUT}`);
  }
  const found = await inputFile(path, stats);
  if (typeof found === 'string') {
    throw new InputError(path, `is no message of CES or Debezium: ${found}; ${ACCEPTED_INPUT}`);
  }
  return [found];
}

async function findInFolder(folder: string, onSkip: OnSkip): Promise<readonly InputFile[]> {
  const files: InputFile[] = [];
  for (const path of await listFolder(folder, onSkip)) {
    const found = await inputFile(path, await statOf(path));
    if (typeof found === 'string') {
      onSkip(path, found);
    } else {
      files.push(found);
    }
  }
  if (files.length === 0) {
    throw new InputError(folder, `has no message files in it; ${ACCEPTED_INPUT}`);
  }
  return files;
}

/** Every regular file below `folder`. Links are not followed, so that a loop of them ends. */
async function listFolder(folder: string, onSkip: OnSkip): Promise<readonly string[]> {
  const files: string[] = [];
  let entries = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    if (depth > MAX_FOLDER_DEPTH) {
      throw new InputError(path, `is more than ${MAX_FOLDER_DEPTH} folders deep; name a folder further in`);
    }
    for (const entry of await entriesOf(path)) {
      entries += 1;
      if (entries > MAX_FOLDER_ENTRIES) {
        throw new InputError(folder, `has more than ${MAX_FOLDER_ENTRIES} files; name a smaller folder`);
      }
      const child = join(path, entry.name);
      if (entry.isDirectory()) {
        await visit(child, depth + 1);
      } else if (entry.isFile()) {
        files.push(child);
      } else {
        onSkip(child, 'it is not a regular file');
      }
    }
  };
  await visit(folder, 0);
  return files;
}

/** The input file, or why it is none. */
async function inputFile(path: string, stats: Stats): Promise<InputFile | string> {
  const recognised = await recogniseFile(path, stats.size);
  if (recognised.kind === 'unknown') {
    return recognised.problem;
  }
  if (stats.size > MAX_STREAMED_FILE_BYTES) {
    const limit = inMebibytes(MAX_STREAMED_FILE_BYTES);
    throw new InputError(path, `has ${inMebibytes(stats.size)}, the limit is ${limit}; split it`);
  }
  return { path, kind: recognised.kind, size: stats.size, modified: stats.mtime };
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
