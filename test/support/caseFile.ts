import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'cases');

/** The bytes of a published message or schema in `test/cases`, without white space at the end. */
export function caseFile(name: string): Buffer {
  return Buffer.from(readFileSync(join(FOLDER, name), 'utf8').trimEnd(), 'utf8');
}

/** The published messages. */
export const caseNames = [
  'split-generation-insert.json',
  'split-generation-update.json',
  'split-generation-delete.json',
  'segment-generation-insert.json',
  'segment-generation-update.json',
  'segment-generation-delete.json',
  'changed-columns-only-base1.json',
] as const;
