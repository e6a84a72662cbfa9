import type { Brand } from './brand.ts';
import type { StreamGroup } from './logicalId.ts';
import type { Lsn } from './lsn.ts';
import type { SequenceNumber } from './sequenceNumber.ts';

/** Where a change stands in the log of its database. A `LogicalId` is the position of a CES change. */
export interface Position {
  /** Commit LSN; {@link BEFORE_ALL} for a row of a snapshot, so that it is older than every change. */
  readonly lsn: Lsn;
  /** Place within the transaction. */
  readonly sequence: SequenceNumber | ChangeSequence;
  /** Equal for copies of a change, and for no other change of its row. */
  readonly text: string;
  /** Of CES only. */
  readonly streamGroup?: StreamGroup;
  /** Number of the change within its transaction where the sequence does not tell it and the message does. */
  readonly totalOrder?: number;
  /** The same among the changes of its table, where the message tells it. */
  readonly dataCollectionOrder?: number;
}

/**
 * Place within a transaction as Debezium tells it: `<change LSN, 20 hex digits>-<serial number, 10 digits>`.
 * A change LSN begins with the number of a log file and a {@link SequenceNumber} with zeros, so of one transaction
 * the changes that Debezium tells sort after those that CES tells.
 */
export type ChangeSequence = Brand<string, 'ChangeSequence'>;

/** The LSN of what was there before all changes. */
export const BEFORE_ALL = '0'.repeat(20) as Lsn;

const SERIAL_DIGITS = 10;

/** @param serial a whole number, 0 to 9,999,999,999. */
export function changeSequence(lsn: Lsn, serial: number): ChangeSequence {
  return `${lsn}-${String(serial).padStart(SERIAL_DIGITS, '0')}` as ChangeSequence;
}

/** Whether it is the position of a row of a snapshot. */
export function isSnapshot({ lsn }: Pick<Position, 'lsn'>): boolean {
  return lsn === BEFORE_ALL;
}
