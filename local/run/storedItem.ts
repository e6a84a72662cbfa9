/** A document of the replica's container as it was read: nothing is taken for granted. */
export interface StoredItem {
  readonly id: string;
  readonly pkkey?: unknown;
  readonly db?: unknown;
  readonly schema?: unknown;
  readonly table?: unknown;
  readonly key?: unknown;
  readonly row?: unknown;
  readonly deleted?: unknown;
  readonly ttl?: unknown;
  readonly _ces?: unknown;
}

/** `db.schema.table`, for people. */
export function tableOf({ db, schema, table }: StoredItem): string {
  return `${db}.${schema}.${table}`;
}

/** Columns and values of a live row, or of a key; empty where there are none. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** `data_collection_order` of the newest change. */
export function orderIn({ _ces }: StoredItem): unknown {
  return fieldsOf(fieldsOf(_ces).get('transaction')).get('data_collection_order');
}
