import { DataError } from '../errors/dataError.ts';
import { isJsonObject, type JsonObject, missing, wrongType } from '../json.ts';
import { parseLsn } from '../model/lsn.ts';
import type { DataCollectionCount, TransactionBoundary } from '../model/transactionBoundary.ts';
import { readNumber } from './readNumber.ts';

const where = 'the transaction boundary';

/** Whether a payload has the shape of Debezium's transaction metadata. */
export function isBoundary(payload: JsonObject): boolean {
  const { status, id } = payload;
  return (status === 'BEGIN' || status === 'END') && typeof id === 'string' && 'event_count' in payload;
}

/**
 * Reads a boundary; counts may be numbers or text.
 * @param payload for which {@link isBoundary} holds.
 * @throws DataError invalid-logical-id, missing-attribute or wrong-type.
 */
export function readBoundary({ status, id, event_count, data_collections }: JsonObject): TransactionBoundary {
  const lsn = parseLsn(String(id));
  if (lsn === undefined) throw new DataError('invalid-logical-id', `id of ${where} is not a commit LSN`);
  return {
    status: status === 'END' ? 'END' : 'BEGIN',
    lsn,
    eventCount: readNumber(event_count, `event_count of ${where}`),
    dataCollections: readCollections(data_collections),
  };
}

function readCollections(sent: unknown): readonly DataCollectionCount[] | null {
  if (sent === undefined || sent === null) return null;
  if (!Array.isArray(sent)) throw wrongType(`data_collections of ${where}`, sent, 'an array');
  return sent.map((one: unknown) => {
    if (!isJsonObject(one)) throw wrongType('an element of data_collections', one, 'an object');
    const { data_collection: dataCollection, event_count } = one;
    if (typeof dataCollection !== 'string')
      throw missing('an element of data_collections', 'data_collection');
    const eventCount = readNumber(event_count, 'event_count in data_collections');
    if (eventCount === null) throw missing('an element of data_collections', 'event_count');
    return { dataCollection, eventCount };
  });
}
