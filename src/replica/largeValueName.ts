import { createHash } from 'node:crypto';
import type { Version } from '../model/version.ts';
import type { DocumentId } from './documentId.ts';

/**
 * Name of the blob of a value: `<folder>/<slice>/<table>/<row>/<version>/<SHA-256 of the value>`, such as
 * `rows-1f0c8a2b/7d/db1.dbo.Purchases/7d3a…/0000-0000002C00000300017C-00000000000000000001/9b74…`. A replay makes
 * the same name, and what lies under a name is always the same. The id is too long for a name, so its digest stands
 * for it, of which the slice is the beginning: a sweep lists a share of the rows that way, row by row.
 * @param folder that of the Cosmos DB container: two of them can have a row of the same id.
 * @param sha256 of the value, in hex.
 */
export function largeValueName(folder: string, id: DocumentId, version: Version, sha256: string): string {
  const row = createHash('sha256').update(id).digest('hex');
  const slice = row.slice(0, SLICE_DIGITS);
  return [folder, slice, tablePart(id), row, version.replaceAll(':', '-'), sha256].join('/');
}

/** Names of one slice of the rows begin with this. @param slice from 0 to {@link LARGE_VALUE_SLICES} - 1. */
export function slicePrefix(folder: string, slice: number): string {
  return `${folder}/${slice.toString(16).padStart(SLICE_DIGITS, '0')}/`;
}

const SLICE_DIGITS = 2;
export const LARGE_VALUE_SLICES = 16 ** SLICE_DIGITS;

/** For people who look at the container; names of tables are up to 128 characters, and escaped. */
const LONGEST_TABLE = 200;

/** What stands before the key in an id. A blob's name must have no part that is empty or ends in a dot. */
function tablePart(id: DocumentId): string {
  const [table = ''] = id.split(':', 1);
  return table.slice(0, LONGEST_TABLE).replace(/\.+$/, '') || '_';
}
