import { DataError } from '../errors/dataError.ts';
import { isOperation, type Operation } from '../model/operation.ts';
import { parseVersion, type Version } from '../model/version.ts';
import type { JsonValue } from './jsonValue.ts';
import { type RowValue, readReference } from './largeValue.ts';
import { parseStampText, type Stamp } from './stamp.ts';

/** A stored replica item, checked: all that a row state is read from. */
export interface StoredItem {
  readonly key: Values<JsonValue>;
  /** Null in a tombstone. */
  readonly row: Values<RowValue> | null;
  readonly deleted: boolean;
  readonly version: Version;
  readonly image: Version | null;
  readonly imageDeleted: boolean;
  readonly others: Stamp | null;
  /** What set each listed column. */
  readonly columns: ReadonlyMap<string, Stamp>;
  readonly operation: Operation;
  readonly time: string | null;
  /** `_ces.transaction.total_order`. */
  readonly totalOrder: number | null;
  /** `_ces.transaction.data_collection_order`. */
  readonly dataCollectionOrder: number | null;
}

type Values<Value> = Readonly<Record<string, Value>>;

/**
 * Checks a document before anything is joined with it: whatever else may have been written into the container,
 * it must neither be overwritten nor end a batch.
 * @throws DataError foreign-item when this app has not written it; names the property, never its value.
 */
export function readStoredItem(stored: unknown): StoredItem {
  const item = objectAt('the item', stored);
  const ces = objectAt('_ces', item['_ces']);
  const { operation, time } = ces;
  if (typeof operation !== 'string' || !isOperation(operation)) throw foreign('_ces.operation');
  if (time !== undefined && typeof time !== 'string') throw foreign('_ces.time');
  const deleted = item['deleted'] === true;
  return {
    key: valuesAt('key', item['key']),
    row: deleted && item['row'] === undefined ? null : rowAt('row', item['row']),
    deleted,
    version: versionAt('_ces.version', ces['version']),
    image: optionalVersionAt('_ces.image', ces['image']),
    imageDeleted: ces['imageDeleted'] === true,
    others: ces['others'] === undefined ? null : stampAt('_ces.others', ces['others']),
    columns: columnsAt('_ces.columns', ces['columns']),
    operation,
    time: time ?? null,
    totalOrder: orderIn(ces['transaction'], 'total_order'),
    dataCollectionOrder: orderIn(ces['transaction'], 'data_collection_order'),
  };
}

/** The refusal of a document because of one of its properties. */
export function foreign(property: string): DataError {
  return new DataError('foreign-item', `the stored item is not one of this app: see ${property}`);
}

function objectAt(property: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw foreign(property);
  return value as Readonly<Record<string, unknown>>;
}

function valuesAt(property: string, value: unknown): Values<JsonValue> {
  const object = objectAt(property, value);
  if (Object.values(object).some(isObject)) throw foreign(property);
  return object as Values<JsonValue>;
}

function rowAt(property: string, value: unknown): Values<RowValue> {
  const object = objectAt(property, value);
  // Most rows have none, and need no copy.
  if (!Object.values(object).some(isObject)) return object as Values<RowValue>;
  return Object.fromEntries(
    Object.entries(object).map(([column, one]) => {
      const reference = isObject(one) ? readReference(one) : (one as JsonValue);
      if (reference === undefined) throw foreign(property);
      return [column, reference];
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function versionAt(property: string, value: unknown): Version {
  const version = parseVersion(value);
  if (version === undefined) throw foreign(property);
  return version;
}

function optionalVersionAt(property: string, value: unknown): Version | null {
  return value === undefined ? null : versionAt(property, value);
}

/** Items written before there was one have none. */
function orderIn(transaction: unknown, name: 'total_order' | 'data_collection_order'): number | null {
  if (!isObject(transaction)) return null;
  const order = (transaction as Readonly<Record<string, unknown>>)[name];
  return Number.isSafeInteger(order) && Number(order) >= 0 ? Number(order) : null;
}

function stampAt(property: string, value: unknown): Stamp {
  const stamp = parseStampText(value);
  if (stamp === undefined) throw foreign(property);
  return stamp;
}

function columnsAt(property: string, value: unknown): Map<string, Stamp> {
  const stamps = new Map<string, Stamp>();
  if (value === undefined) return stamps;
  for (const [stamp, columns] of Object.entries(objectAt(property, value))) {
    if (!Array.isArray(columns)) throw foreign(property);
    for (const column of columns as readonly unknown[]) {
      if (typeof column !== 'string') throw foreign(property);
      stamps.set(column, stampAt(property, stamp));
    }
  }
  return stamps;
}
