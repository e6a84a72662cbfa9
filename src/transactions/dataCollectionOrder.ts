import { parseSequences } from './sequenceCode.ts';
import type { SequenceSet } from './sequenceSet.ts';
import type { DataCollection, TransactionItem } from './transactionItem.ts';

/**
 * Place of a change among the changes of its table in its transaction, from 1, as Debezium's `data_collection_order`.
 * @param transaction the item of the transaction; it tells places when it has ended and TRANSACTIONS is on-with-order.
 *   Undefined where it has gone, as after TOMBSTONE_DAYS.
 * @param dataCollection `database.schema.table`, as the replica names it.
 * @param totalOrder `_ces.transaction.total_order` of the row.
 * @returns undefined when the item does not tell.
 */
export function dataCollectionOrder(
  transaction: Pick<TransactionItem, 'data_collections'> | undefined,
  dataCollection: string,
  totalOrder: number,
): number | undefined {
  const found = transaction?.data_collections?.find((one) => one.data_collection === dataCollection);
  return found === undefined ? undefined : numbersOf(found)?.placeOf(totalOrder);
}

/** Of a large transaction reading the numbers takes long, and one row after the other is asked for. */
const read = new WeakMap<DataCollection, SequenceSet>();

function numbersOf(collection: DataCollection): SequenceSet | undefined {
  const known = read.get(collection);
  if (known !== undefined) return known;
  const numbers = parseSequences(collection.total_orders);
  if (numbers !== undefined) read.set(collection, numbers);
  return numbers;
}
