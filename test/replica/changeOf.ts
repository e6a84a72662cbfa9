import type { Change, Image, SqlValue } from '../../src/model/change.ts';
import { parseLogicalId } from '../../src/model/logicalId.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { Table } from '../../src/model/table.ts';
import type { Version } from '../../src/model/version.ts';

export const purchases: Table = { db: 'db1', schema: 'dbo', name: 'Purchases' };

/** The version of the change number `n` in epoch 0. */
export function versionNumber(n: number): Version {
  return `0000:${lsnNumber(n)}:00000000000000000001` as Version;
}

function lsnNumber(n: number): string {
  return n.toString(16).toUpperCase().padStart(20, '0');
}

export interface ChangeParts {
  readonly operation: Operation;
  /** Place in the log. */
  readonly n?: number;
  readonly table?: Table;
  /** Names and types of the columns of a table with the key `id`. */
  readonly types?: readonly (readonly [name: string, type: string])[];
  /** Columns and values of the key; none for a table without one. */
  readonly key?: readonly (readonly [column: string, value: string])[];
  readonly old?: readonly (readonly [column: string, value: SqlValue])[] | null;
  readonly current?: readonly (readonly [column: string, value: SqlValue])[] | null;
}

/** A decoded change of the row 7 unless told otherwise. Entries, since an object literal cannot have `__proto__`. */
export function changeOf(parts: ChangeParts): Change {
  const {
    operation,
    n = 1,
    table = purchases,
    types = [
      ['id', 'int'],
      ['a', 'varchar(9)'],
      ['b', 'varchar(9)'],
    ],
    key = [['id', '7']],
    old = null,
    current = null,
  } = parts;
  const position = parseLogicalId(`1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:${lsnNumber(n)}:1`);
  if (position === undefined) throw new RangeError('not a logical id');
  return {
    position,
    table,
    operation,
    time: '2026-01-02T03:04:05.678Z',
    columns: types.map(([name, type]) => ({ name, type })),
    key: key.map(([column, value]) => ({ column, value })),
    old: imageOf(old),
    current: imageOf(current),
  };
}

function imageOf(entries: readonly (readonly [string, SqlValue])[] | null): Image | null {
  return entries === null ? null : Object.fromEntries(entries);
}
