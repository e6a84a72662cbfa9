import { BEFORE_ALL, type Position } from './position.ts';
import type { Version } from './version.ts';

/** The transaction of a change, in the form that Debezium's SQL Server connector gives it. */
export interface Transaction {
  /** Commit LSN, such as `00000025:00000d08:0025`. */
  readonly id: string;
  /** Number of the change within the transaction, from 1; missing where the message did not tell it. */
  readonly total_order?: number;
  /**
   * The same among the changes of its table, from 1; missing where the message did not tell it and it was not written
   * when the transaction had ended.
   */
  readonly data_collection_order?: number;
}

/**
 * The transaction of the change of a version; undefined for a row of a snapshot, which belongs to none.
 * @param orders `totalOrder` counts where the version itself does not tell it.
 */
export function transactionOf(
  version: Version,
  { totalOrder, dataCollectionOrder }: Pick<Position, 'totalOrder' | 'dataCollectionOrder'> = {},
): Transaction | undefined {
  const lsn = version.slice(LSN_START, LSN_END);
  if (lsn === BEFORE_ALL) return undefined;
  const order = tellsTotalOrder(version) ? Number(version.slice(LSN_END + 1)) : totalOrder;
  return {
    id: transactionIdOf(lsn),
    ...(order !== undefined && { total_order: order }),
    ...(dataCollectionOrder !== undefined && { data_collection_order: dataCollectionOrder }),
  };
}

/** As Debezium's SQL Server connector names a transaction, such as `00000025:00000d08:0025`. @param lsn 20 hex digits. */
export function transactionIdOf(lsn: string): string {
  return `${lsn.slice(0, 8)}:${lsn.slice(8, 16)}:${lsn.slice(16)}`.toLowerCase();
}

/** Whether the version ends in a sequence number of CES. */
export function tellsTotalOrder(version: Version): boolean {
  return version[version.length - SERIAL_LENGTH] !== '-';
}

/** After the epoch. */
const LSN_START = 5;
const LSN_END = 25;
/** The hyphen and the digits after it. */
const SERIAL_LENGTH = 11;
