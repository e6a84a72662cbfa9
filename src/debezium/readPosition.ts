import { DataError } from '../errors/dataError.ts';
import { isJsonObject, missing } from '../json.ts';
import { type Lsn, parseLsn } from '../model/lsn.ts';
import { BEFORE_ALL, changeSequence, type Position } from '../model/position.ts';
import type { Envelope } from './envelope.ts';
import { readNumber } from './readNumber.ts';

/**
 * Reads where a change stands in the log: `commit_lsn`, and within the transaction `change_lsn` and
 * `event_serial_no`, which counts the changes of one LSN.
 * A row of a snapshot comes before all changes, and rows of snapshots are ordered by when they were taken: the
 * newest commit at that time, then the second. Programs around the connector write `00` or `NULL` there where they
 * know none.
 * @throws DataError missing-attribute, wrong-type or invalid-logical-id.
 */
export function readPosition({ op, source, transaction }: Envelope): Position {
  if (op === 'r') {
    const commit = parseLsn(String(source['commit_lsn']));
    const seconds = Math.floor((readNumber(source['ts_ms'], 'ts_ms in source') ?? 0) / 1000);
    return positionOf(BEFORE_ALL, commit ?? BEFORE_ALL, Math.min(seconds, MAX_SERIAL));
  }
  const commit = readLsn(source['commit_lsn'], 'commit_lsn');
  const change = readLsn(source['change_lsn'], 'change_lsn');
  if (commit === undefined) throw missing('source', 'commit_lsn');
  if (change === undefined) throw missing('source', 'change_lsn');
  const serial = readNumber(source['event_serial_no'], 'event_serial_no in source') ?? 0;
  if (serial > MAX_SERIAL) {
    throw new DataError('invalid-logical-id', `event_serial_no in source has more than 10 digits`);
  }
  return { ...positionOf(commit, change, serial), ...readOrders(transaction) };
}

function readOrders(transaction: unknown): Pick<Position, 'totalOrder' | 'dataCollectionOrder'> {
  if (!isJsonObject(transaction)) return {};
  const totalOrder = readNumber(transaction['total_order'], 'total_order in transaction');
  const dataCollectionOrder = readNumber(
    transaction['data_collection_order'],
    'data_collection_order in transaction',
  );
  return {
    ...(totalOrder !== null && { totalOrder }),
    ...(dataCollectionOrder !== null && { dataCollectionOrder }),
  };
}

/** Ten digits. */
const MAX_SERIAL = 9_999_999_999;

function positionOf(lsn: Lsn, change: Lsn, serial: number): Position {
  const sequence = changeSequence(change, serial);
  return { lsn, sequence, text: `${lsn}:${sequence}` };
}

function readLsn(sent: unknown, name: string): Lsn | undefined {
  if (sent === undefined || sent === null) return undefined;
  const lsn = typeof sent === 'string' ? parseLsn(sent) : undefined;
  if (lsn === undefined) {
    throw new DataError(
      'invalid-logical-id',
      `${name} in source is not an LSN such as 00000025:00000d08:0025`,
    );
  }
  return lsn;
}
