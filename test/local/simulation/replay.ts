import type { OracleTable } from '../../../local/simulation/oracle.ts';
import type { ReadEvent } from './readBack.ts';

type Texts = Record<string, string | null>;

/** Applies events in their order, the plainest way: the texts of every live row, and the keys that are gone. */
export function replay(events: readonly ReadEvent[]): {
  readonly live: ReadonlyMap<string, Texts>;
  readonly gone: ReadonlySet<string>;
} {
  const live = new Map<string, Texts>();
  const gone = new Set<string>();
  for (const { operation, payload } of events) {
    const { db, schema, tbl, pkkey } = payload.eventsource;
    const old: Texts = JSON.parse(payload.eventrow.old);
    const current: Texts = JSON.parse(payload.eventrow.current);
    const keyIn = (image: Texts): string =>
      rowId(
        db,
        schema,
        tbl,
        pkkey.map(({ columnname }) => image[columnname] ?? ''),
      );
    const id = rowId(
      db,
      schema,
      tbl,
      pkkey.map(({ value }) => value),
    );
    const oldId = Object.keys(old).length === 0 ? id : keyIn(old);
    if (operation === 'DEL' || oldId !== id) {
      live.delete(oldId);
      gone.add(oldId);
    }
    if (operation === 'DEL') continue;
    const before = operation === 'UPD' ? (live.get(id) ?? {}) : {};
    live.set(id, Object.fromEntries([...Object.entries(before), ...Object.entries(current)]));
    gone.delete(id);
  }
  return { live, gone };
}

export function rowId(db: string, schema: string, table: string, key: readonly string[]): string {
  return JSON.stringify([db, schema, table, ...key]);
}

/** The oracle in the shape of {@link replay}, with the values a replica holds instead of texts. */
export function oracleRows(tables: readonly OracleTable[]): {
  readonly live: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly gone: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, ReadonlyMap<string, string>>;
} {
  const rows = tables.flatMap((table) =>
    table.rows.map((row) => [rowId(table.db, table.schema, table.name, row.key), row.values] as const),
  );
  const types = tables.flatMap((table) => {
    const columns = new Map(table.columns.map(({ name, sqlType }) => [name, sqlType]));
    return table.rows.map((row) => [rowId(table.db, table.schema, table.name, row.key), columns] as const);
  });
  const gone = tables.flatMap((table) =>
    table.deletedKeys.map((key) => rowId(table.db, table.schema, table.name, key)),
  );
  return { live: new Map(rows), gone: new Set(gone), types: new Map(types) };
}

/** What the rules of the replica make of a text, written down again without looking at the simulation. */
export function expectedValue(type: string, text: string | null): unknown {
  if (text === null) return null;
  const name = type.replace(/\(.*/, '');
  const precision = Number(/\((\d+)/.exec(type)?.[1] ?? 0);
  if (['tinyint', 'smallint', 'int', 'smallmoney', 'real', 'float'].includes(name)) return Number(text);
  if (['decimal', 'numeric'].includes(name)) return precision <= 15 ? Number(text) : text;
  if (name === 'bit') return text === '1';
  if (['datetime', 'smalldatetime', 'datetime2'].includes(name)) return text.replace(' ', 'T');
  if (name === 'datetimeoffset') return text.replace(' ', 'T').replace(' ', '');
  return text;
}
