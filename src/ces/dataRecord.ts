import { DataError } from '../errors/dataError.ts';
import type { Change, Column, Image, KeyColumn } from '../model/change.ts';
import { isLsn } from '../model/lsn.ts';
import type { Segment } from '../model/segment.ts';
import { parseSequenceNumber, type SequenceNumber } from '../model/sequenceNumber.ts';
import type { Table } from '../model/table.ts';

/** The `data` of an event, whichever encoding it came in. */
export interface DataRecord {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly key: readonly KeyColumn[];
  /** Absent in the oldest generation: then `logicalid` alone gives the position. */
  readonly transaction: TransactionPosition | null;
  readonly old: Image | null;
  readonly current: Image | null;
}

export interface TransactionPosition {
  readonly commitlsn: string;
  /** A JSON number beyond 2^53 is as exact as JSON gives it. */
  readonly sequencenumber: string | number;
}

/**
 * Puts the data of an event and the attributes of its first segment together.
 * @throws DataError order-conflict when they name different positions in the log.
 */
export function toChange(head: Segment, data: DataRecord): Change {
  if (data.transaction !== null) checkPosition(head, data.transaction);
  return {
    position: head.logicalId,
    table: data.table,
    operation: head.operation,
    time: head.time,
    columns: data.columns,
    key: data.key,
    old: data.old,
    current: data.current,
  };
}

/** @throws DataError order-conflict when the attributes and the `transaction` block name different positions. */
export function checkPosition({ logicalId }: Segment, transaction: TransactionPosition): void {
  const { commitlsn, sequencenumber } = transaction;
  if (isLsn(commitlsn, logicalId.lsn) && isSequence(sequencenumber, logicalId.sequence)) return;
  throw new DataError(
    'order-conflict',
    `logicalid says LSN ${logicalId.lsn}, sequence ${Number(logicalId.sequence)}; ` +
      `transaction says ${JSON.stringify(commitlsn.slice(0, 40))}, ${String(sequencenumber).slice(0, 40)}`,
  );
}

function isSequence(sent: string | number, sequence: SequenceNumber): boolean {
  return typeof sent === 'number' ? sent === Number(sequence) : parseSequenceNumber(sent) === sequence;
}
