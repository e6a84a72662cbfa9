import { readFileSync } from 'node:fs';
import type { DebeziumOptions } from '../../src/debezium/debeziumOptions.ts';
import { readDebezium } from '../../src/debezium/readDebezium.ts';
import type { Change } from '../../src/model/change.ts';

/** A field of a row: its schema without its name, and its value as the JSON text of the message. */
export type TestField = readonly [name: string, schema: Readonly<Record<string, unknown>>, json: string];

export const source = {
  version: '3.0.0.Final',
  connector: 'sqlserver',
  name: 'server1',
  ts_ms: 1_754_583_900_650,
  snapshot: 'false',
  db: 'shop',
  sequence: null,
  schema: 'dbo',
  table: 'Items',
  change_lsn: '0000002c:00000300:0178',
  commit_lsn: '0000002c:00000300:017c',
  event_serial_no: 1,
};

/** Properties of the payload that are set otherwise; undefined leaves one out. */
export type PayloadParts = Readonly<Record<string, unknown>>;

/** An insert, without its schema. */
export function plainMessage(fields: readonly TestField[], parts: PayloadParts = {}): Buffer {
  const payload = {
    before: null,
    after: 'ROW',
    source,
    op: 'c',
    ts_ms: source.ts_ms + 500,
    transaction: null,
    ...parts,
  };
  const row = `{${fields.map(([name, , json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  return Buffer.from(JSON.stringify(payload).replaceAll('"ROW"', () => row));
}

/** The same with its schema. */
export function schemaMessage(fields: readonly TestField[], parts: PayloadParts = {}): Buffer {
  const row = fields.map(([field, schema]) => ({ optional: true, field, ...schema }));
  const struct = (field: string) => ({
    type: 'struct',
    fields: row,
    optional: true,
    name: 'server1.shop.dbo.Items.Value',
    field,
  });
  const schema = {
    type: 'struct',
    fields: [struct('before'), struct('after')],
    optional: false,
    name: 'server1.shop.dbo.Items.Envelope',
    version: 2,
  };
  return Buffer.from(
    `{"schema":${JSON.stringify(schema)},"payload":${plainMessage(fields, parts).toString()}}`,
  );
}

/** The change of a message. @throws RangeError when it is none. */
export function debeziumChange(body: Buffer, options?: DebeziumOptions): Change {
  const read = readDebezium(body, options);
  if (read?.kind !== 'change') throw new RangeError(`not a change but ${read?.kind}`);
  return read.change;
}

/** The bytes of a message that Debezium's documentation prints. */
export function debeziumCase(name: string): Buffer {
  return readFileSync(new URL(`../debezium/cases/${name}`, import.meta.url));
}
