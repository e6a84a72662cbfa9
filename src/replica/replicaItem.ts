import type { Operation } from '../model/operation.ts';
import type { Table } from '../model/table.ts';
import { type Transaction, tellsTotalOrder, transactionOf } from '../model/transaction.ts';
import type { Version } from '../model/version.ts';
import type { DocumentId } from './documentId.ts';
import type { JsonValue } from './jsonValue.ts';
import type { RowValue } from './largeValue.ts';
import { type Cell, isDeleted, type RowState } from './rowState.ts';
import { isDeleteStamp, type StampText, stampOf, stampText, versionOfStamp } from './stamp.ts';
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
  /**
   * Missing in a tombstone; the last that was known of a row that is kept when it is deleted. An object stands for
   * a text that does not fit.
   */
  readonly row?: Readonly<Record<string, RowValue>>;
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
  /** What set every column that `columns` does not list; missing when it is the image. */
  readonly others?: StampText;
  /** Columns that something else set. */
  readonly columns?: Readonly<Record<StampText, readonly string[]>>;
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
  const row = isTombstone(state)
    ? { ttl: tombstoneSeconds }
    : { row: Object.fromEntries([...state.cells].map(([column, cell]) => [column, cell.value])) };
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

/** Deleted, and no column is known: an image of nothing, unless it is one of a delete, shows as an empty row. */
function isTombstone(state: RowState): boolean {
  return isDeleted(state) && state.cells.size === 0 && (state.image === null || isDeleteStamp(state.image));
}

function toProvenance(state: RowState): Provenance {
  const { image, newest } = state;
  const imageVersion = image === null ? undefined : versionOfStamp(image);
  const groups = Map.groupBy(state.cells, ([, cell]) => stampText(cell.stamp));
  const others = largestGroup(groups);
  const listed = [...groups].filter(([stamp]) => stamp !== others).sort(([a], [b]) => (a < b ? -1 : 1));
  const version = versionOfStamp(newest.stamp);
  const transaction = transactionOf(version, newest);
  return {
    version,
    ...(imageVersion !== undefined && { image: imageVersion }),
    ...(image !== null && isDeleteStamp(image) && state.cells.size > 0 && { imageDeleted: true as const }),
    ...(others !== undefined && others !== imageVersion && { others }),
    ...(listed.length > 0 && {
      columns: Object.fromEntries(
        listed.map(([stamp, cells]) => [stamp, cells.map(([column]) => column).sort()]),
      ),
    }),
    operation: newest.operation,
    ...(newest.time !== null && { time: newest.time }),
    ...(transaction !== undefined && { transaction }),
  };
}

/** What set most columns is the one not to list; of several such the newest. */
function largestGroup(groups: ReadonlyMap<StampText, readonly unknown[]>): StampText | undefined {
  let largest: StampText | undefined;
  let size = 0;
  for (const [stamp, cells] of groups) {
    if (cells.length > size || (cells.length === size && largest !== undefined && stamp > largest)) {
      largest = stamp;
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
  const { version, operation, time, key, row, image, imageDeleted, totalOrder, dataCollectionOrder } = item;
  const numbered = {
    ...(totalOrder !== null && !tellsTotalOrder(version) && { totalOrder }),
    ...(dataCollectionOrder !== null && { dataCollectionOrder }),
  };
  return {
    image: image === null ? null : stampOf(image, row === null || imageDeleted),
    cells: readCells(item),
    newest: { stamp: stampOf(version, operation === 'DEL'), operation, time, key, ...numbered },
  };
}

function readCells({ row, columns, others, image }: StoredItem): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [column, value] of Object.entries(row ?? {})) {
    const stamp = columns.get(column) ?? others ?? (image === null ? null : stampOf(image, false));
    if (stamp === null) throw foreign('_ces.others');
    cells.set(column, { stamp, value });
  }
  return cells;
}
