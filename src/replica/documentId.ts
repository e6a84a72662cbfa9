import { createHash } from 'node:crypto';
import { assert } from '../errors/bug.ts';
import { MAX_ID_BYTES } from '../limits.ts';
import type { Brand } from '../model/brand.ts';
import type { Table } from '../model/table.ts';

/** Id and partition key of a replica item. */
export type DocumentId = Brand<string, 'DocumentId'>;

/**
 * Builds the id of a row: `db.schema.table:key` with composite keys joined by commas, such as
 * `db1.dbo.Purchases:105`. Distinct rows have distinct ids, whatever the names and values hold.
 *
 * Letters, digits, `-` and `_` stand for themselves; any other UTF-16 code unit becomes `~` and two hex digits,
 * or `~u` and four. So ids hold none of `/ \ ? # %`, which Cosmos DB or a URL would take for something else, and
 * the separators never come from a name or value. An id over 1,023 bytes is cut and ends in `~~` and the SHA-256
 * of the whole; `~~` stands in no other id.
 *
 * @param keyValues the primary key's values in key order, as the text that SQL Server sends; at least one.
 */
export function documentId(table: Table, keyValues: readonly string[]): DocumentId {
  assert(keyValues.length > 0, 'an id needs at least one key value');
  const names = [table.db, table.schema, table.name].map(encode).join('.');
  const id = `${names}:${keyValues.map(encode).join(',')}`;
  // All characters are ASCII, so the length is the number of bytes.
  return (id.length <= MAX_ID_BYTES ? id : digested(id)) as DocumentId;
}

const unsafe = /[^A-Za-z0-9_-]/g;

function encode(text: string): string {
  return text.replaceAll(unsafe, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase();
    return code.length <= 2 ? `~${code.padStart(2, '0')}` : `~u${code.padStart(4, '0')}`;
  });
}

function digested(id: string): string {
  const ending = `~~${createHash('sha256').update(id).digest('hex')}`;
  return `${id.slice(0, MAX_ID_BYTES - ending.length)}${ending}`;
}
