import { DataError } from '../errors/dataError.ts';
import {
  isJsonObject,
  type JsonObject,
  missing,
  parseJsonObject,
  parseKeepingNumbers,
  wrongType,
} from '../json.ts';
import type { Envelope } from './envelope.ts';
import { unwrap } from './unwrap.ts';

/** Whether it is a CloudEvent of Debezium's `CloudEventsConverter`, such as `io.debezium.connector.sqlserver.DataChangeEvent`. */
export function isCloudEvent(payload: JsonObject): boolean {
  return (
    typeof payload['specversion'] === 'string' &&
    typeof payload['type'] === 'string' &&
    payload['type'].startsWith('io.debezium.')
  );
}

/**
 * Reads a CloudEvent of the structured mode, whose attributes hold what a change event has in `source`, `op` and
 * `transaction` (Debezium, Emitting Change Event Records in CloudEvents Format).
 * @throws DataError missing-attribute, wrong-type or invalid-json.
 */
export function readCloudEvent(event: JsonObject): Envelope {
  const op = event['iodebeziumop'];
  if (typeof op !== 'string') throw missing('the CloudEvent of Debezium', 'iodebeziumop');
  const { schema, payload } = unwrap(readData(event['data']));
  const source = Object.fromEntries(
    sourceFields.map((name) => [name, event[`iodebezium${name.replaceAll('_', '')}`]]),
  );
  return {
    op,
    before: payload?.['before'],
    after: payload?.['after'],
    source,
    // All null without `provide.transaction.metadata`.
    transaction: {
      id: event['iodebeziumtxid'],
      total_order: event['iodebeziumtxtotalorder'],
      data_collection_order: event['iodebeziumtxdatacollectionorder'],
    },
    schema,
  };
}

/** An attribute is called as its field, without the underscores; a field of `transaction` after `tx`. */
const sourceFields = [
  'connector',
  'db',
  'schema',
  'table',
  'snapshot',
  'ts_ms',
  'change_lsn',
  'commit_lsn',
  'event_serial_no',
];

/** JSON data stands in the event as it is; a transport may make text of it. */
function readData(data: unknown): JsonObject {
  if (isJsonObject(data)) return data;
  if (typeof data !== 'string')
    throw data === undefined ? missing('the CloudEvent', 'data') : wrongType('data', data, 'an object');
  if (!data.trimStart().startsWith('{'))
    throw new DataError('invalid-json', 'data of the CloudEvent is not a JSON object');
  parseJsonObject(data, 'data');
  return parseKeepingNumbers(data, 'data');
}
