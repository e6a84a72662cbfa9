import { DataError } from '../errors/dataError.ts';
import { type JsonObject, requireText } from '../json.ts';
import type { Change } from '../model/change.ts';
import type { Operation } from '../model/operation.ts';
import type { DebeziumOptions } from './debeziumOptions.ts';
import type { Envelope } from './envelope.ts';
import { readNumber } from './readNumber.ts';
import { readPosition } from './readPosition.ts';
import { readRows } from './readRows.ts';

const CONNECTOR = 'sqlserver';

/**
 * Makes a change of a change event. Debezium has the key of the row in the key of its Kafka message, which does not
 * reach a hub as part of the body: REPLICA_CONFIG names the columns.
 * @throws DataError when it is not one of the SQL Server connector, or lacks something.
 */
export function readChange(envelope: Envelope, options: DebeziumOptions): Change {
  const { source } = envelope;
  const connector = requireText(source, 'connector', 'source');
  if (connector !== CONNECTOR) {
    throw new DataError(
      'unknown-type',
      `the connector is ${JSON.stringify(connector.slice(0, 40))}, expected "${CONNECTOR}"`,
    );
  }
  const db = requireText(source, 'db', 'source');
  const schema = requireText(source, 'schema', 'source');
  const name = requireText(source, 'table', 'source');
  return {
    position: readPosition(envelope),
    table: { db, schema, name },
    operation: operationOf(envelope.op),
    time: readTime(source),
    key: [],
    ...readRows(envelope, options),
  };
}

function operationOf(op: string): Operation {
  switch (op) {
    case 'c':
    case 'r':
      return 'INS';
    case 'u':
      return 'UPD';
    case 'd':
      return 'DEL';
    default:
      throw new DataError(
        'unknown-operation',
        `op is ${JSON.stringify(op.slice(0, 40))}, expected c, u, d, r, t or m`,
      );
  }
}

/** Time of the commit; of a row of a snapshot that of reading it. */
function readTime(source: JsonObject): string | null {
  const time = new Date(readNumber(source['ts_ms'], 'ts_ms in source') ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
