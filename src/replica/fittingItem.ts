import { DataError } from '../errors/dataError.ts';
import type { DocumentId } from './documentId.ts';
import type { LargeValue } from './largeValues.ts';
import { jsonBytes, moveOut } from './moveOut.ts';
import { type ReplicaItem, toReplicaItem } from './replicaItem.ts';
import type { RowState } from './rowState.ts';
import type { TableRules } from './tableRules.ts';

export interface FittingItem {
  readonly item: ReplicaItem;
  /** Size of the item in bytes of JSON. */
  readonly bytes: number;
  /** What the item refers to and may not be stored yet: it has to be before the item is. */
  readonly values: readonly LargeValue[];
}

/**
 * The item of a row, with references for what does not fit into it.
 * @param tombstoneSeconds life of a tombstone, in seconds.
 * @returns a DataError item-too-large when it does not fit all the same.
 */
export function fittingItem(
  id: DocumentId,
  { table, itemBytes, largeValues, valueFolder }: TableRules,
  state: RowState,
  tombstoneSeconds: number,
): FittingItem | DataError {
  const item = toReplicaItem(id, table, state, tombstoneSeconds);
  const bytes = jsonBytes(item);
  if (bytes <= itemBytes) return { item, bytes, values: [] };
  const moved = largeValues === 'blob' ? moveOut(id, valueFolder, state, bytes - itemBytes) : undefined;
  if (moved === undefined) {
    const without = largeValues === 'blob' ? ', even without its large values' : '';
    const message = `the replica item has ${bytes} bytes of JSON, at most ${itemBytes} fit${without}`;
    return new DataError('item-too-large', message);
  }
  const smaller = toReplicaItem(id, table, moved.state, tombstoneSeconds);
  return { item: smaller, bytes: jsonBytes(smaller), values: moved.values };
}
