import type { Operation } from '../model/operation.ts';
import type { Table } from '../model/table.ts';
import { type Transaction, tellsTotalOrder, transactionOf } from '../model/transaction.ts';
import type { Version } from '../model/version.ts';
import type { DocumentId } from './documentId.ts';
import type { JsonValue } from './jsonValue.ts';
import { type Cell, isDeleted, type RowState } from './rowState.ts';
import { isDeleteStamp, stampOf, versionOfStamp } from './stamp.ts';
import { foreign, readStoredItem, type StoredItem } from './storedItem.ts';

/** The Cosmos DB document of one row. Source columns live under `row` only, so none can be taken for ours. */
export interface ReplicaItem {
  readonly id: DocumentId;
  /** Partition key; equals `id`. */
  readonly pkkey: DocumentId;
  readonly db: string;
  readonly schema: string;
  readonly table: string;
  readonly key: Readonly<Record<string, JsonValue>>;
  /** Missing in a tombstone; the last that was known of a row that is kept when it is deleted. */
  readonly row?: Readonly<Record<string, JsonValue>>;
  readonly deleted?: true;
  /** Seconds until Cosmos DB removes a tombstone. */
  readonly ttl?: number;
  readonly _ces: Provenance;
}

/** Where the item's values come from: all that {@link join} needs, as compact as it gets. */
export interface Provenance {
  /** Newest change. */
  readonly version: Version;
  /** Newest image; missing while none has been seen. */
  readonly image?: Version;
  /** The newest image was a delete, and columns were set after it. */
  readonly imageDeleted?: true;
  /** Version of every column that `columns` does not list; missing when it is that of the image. */
  readonly others?: Version;
  /** Columns of other versions. */
  readonly columns?: Readonly<Record<Version, readonly string[]>>;
  readonly operation: Operation;
  readonly time?: string;
  /** Of the newest change; missing for a row of a snapshot. */
  readonly transaction?: Transaction;
}

/** @param tombstoneSeconds life of a tombstone, in seconds. */
export function toReplicaItem(
  id: DocumentId,
  table: Table,
  state: RowState,
  tombstoneSeconds: number,
): ReplicaItem {
  // A row that is kept when it is deleted does not expire.
  const row =
    state.cells.size > 0 || !isDeleted(state)
      ? { row: Object.fromEntries([...state.cells].map(([column, cell]) => [column, cell.value])) }
      : { ttl: tombstoneSeconds };
  const content = { ...(isDeleted(state) && { deleted: true as const }), ...row };
  return {
    id,
    pkkey: id,
    db: table.db,
    schema: table.schema,
    table: table.name,
    key: state.newest.key,
    ...content,
    _ces: toProvenance(state),
  };
}

function toProvenance(state: RowState): Provenance {
  const { image, newest } = state;
  const imageVersion = image === null ? undefined : versionOfStamp(image);
  const groups = Map.groupBy(state.cells, ([, cell]) => versionOfStamp(cell.stamp));
  const others = largestGroup(groups);
  const listed = [...groups].filter(([version]) => version !== others).sort(([a], [b]) => (a < b ? -1 : 1));
  const version = versionOfStamp(newest.stamp);
  const transaction = transactionOf(version, newest.totalOrder);
  return {
    version,
    ...(imageVersion !== undefined && { image: imageVersion }),
    ...(image !== null && isDeleteStamp(image) && state.cells.size > 0 && { imageDeleted: true as const }),
    ...(others !== undefined && others !== imageVersion && { others }),
    ...(listed.length > 0 && {
      columns: Object.fromEntries(
        listed.map(([version, cells]) => [version, cells.map(([column]) => column).sort()]),
      ),
    }),
    operation: newest.operation,
    ...(newest.time !== null && { time: newest.time }),
    ...(transaction !== undefined && { transaction }),
  };
}

/** The version of most columns is the one not to list; of several such the newest. */
function largestGroup(groups: ReadonlyMap<Version, readonly unknown[]>): Version | undefined {
  let largest: Version | undefined;
  let size = 0;
  for (const [version, cells] of groups) {
    if (cells.length > size || (cells.length === size && largest !== undefined && version > largest)) {
      largest = version;
      size = cells.length;
    }
  }
  return largest;
}

/**
 * Reads the row state back from a stored item.
 * @throws DataError foreign-item when this app has not written it.
 */
export function fromReplicaItem(stored: unknown): RowState {
  const item = readStoredItem(stored);
  const { version, operation, time, key, row, image, deleted, imageDeleted, totalOrder } = item;
  const numbered = totalOrder === null || tellsTotalOrder(version) ? {} : { totalOrder };
  const isTombstone = deleted && Object.keys(row).length === 0;
  return {
    image: image === null ? null : stampOf(image, isTombstone || imageDeleted),
    cells: readCells(item),
    newest: { stamp: stampOf(version, operation === 'DEL'), operation, time, key, ...numbered },
  };
}

function readCells({ row, columns, others, image }: StoredItem): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [column, value] of Object.entries(row)) {
    const version = columns.get(column) ?? others ?? image;
    if (version === null) throw foreign('_ces.others');
    cells.set(column, { stamp: stampOf(version, false), value });
  }
  return cells;
}
