import { chooseModes, type DebeziumModes, debeziumValue } from './debeziumValue.ts';
import { type Lsn, lsnText } from './lsn.ts';
import type { Random } from './random.ts';
import type { RowImage, SourceEvent } from './sourceEvent.ts';

/** How the connector and its converter are set up for one message. */
export interface DebeziumForm extends DebeziumModes {
  readonly wrapping: 'schema' | 'cloudEvents';
}

/** In nanoseconds since 1970, 64 bits hold about these years; others would come out wrong. */
const FIRST_NANO_YEAR = 1678;
const LAST_NANO_YEAR = 2261;
const CLOUD_EVENTS_SHARE = 0.25;

export function chooseDebeziumForm(event: SourceEvent, random: Random): DebeziumForm {
  const modes = chooseModes(random);
  const wrapping = random.chance(CLOUD_EVENTS_SHARE) ? 'cloudEvents' : 'schema';
  const times = fitsNanoseconds(event) ? modes.times : 'isostring';
  return { ...modes, times, wrapping };
}

function fitsNanoseconds({ whole }: SourceEvent): boolean {
  const types = new Map(whole.columns.map(({ name, type }) => [name, type]));
  return [...whole.old, ...whole.current].every(([name, text]) => {
    const year = Number(text?.slice(0, 4));
    return (
      !/^datetime2\(7\)$/.test(types.get(name) ?? '') ||
      text === null ||
      (year >= FIRST_NANO_YEAR && year <= LAST_NANO_YEAR)
    );
  });
}

type DebeziumOp = 'c' | 'u' | 'd' | 'r';

/** The messages of one change: a change of the key is told as a delete and an insert. */
export function debeziumMessages(event: SourceEvent, form: DebeziumForm): Buffer[] {
  const { old, current } = event.whole;
  switch (event.operation) {
    case 'INS':
      return [write(event, form, 'c', [], current)];
    case 'DEL':
      return [write(event, form, 'd', old, [])];
    case 'UPD':
      return sameKey(event)
        ? [write(event, form, 'u', old, current)]
        : [write(event, form, 'd', old, []), write(event, form, 'c', [], current)];
    default:
      return event.operation satisfies never;
  }
}

/** The row that an insert made, as a snapshot reads it. */
export function snapshotMessage(event: SourceEvent, form: DebeziumForm): Buffer {
  return write(event, form, 'r', [], event.whole.current);
}

/** What Debezium tells of a transaction. @param events all of it. */
export function boundaryMessages(events: readonly SourceEvent[]): Buffer[] {
  const [first] = events;
  if (first === undefined) return [];
  const id = debeziumLsn(first.commitLsn);
  const byTable = Map.groupBy(events, ({ db, schema, table }) => `${db}.${schema}.${table}`);
  return [
    { status: 'BEGIN', id, event_count: null, data_collections: null },
    {
      status: 'END',
      id,
      event_count: events.length,
      data_collections: [...byTable].map(([data_collection, { length }]) => ({
        data_collection,
        event_count: length,
      })),
    },
  ].map((boundary) => Buffer.from(JSON.stringify(boundary)));
}

function sameKey({ key, whole }: SourceEvent): boolean {
  const before = new Map(whole.old);
  const after = new Map(whole.current);
  return key.every(({ columnname }) => before.get(columnname) === after.get(columnname));
}

function debeziumLsn(lsn: Lsn): string {
  return lsnText(lsn).toLowerCase();
}

function write(
  event: SourceEvent,
  form: DebeziumForm,
  op: DebeziumOp,
  old: RowImage,
  current: RowImage,
): Buffer {
  const rows = `"before":${rowJson(event, form, old)},"after":${rowJson(event, form, current)}`;
  const schema = schemaOf(event, form);
  const source = sourceOf(event, op);
  const transaction =
    op === 'r'
      ? null
      : {
          id: source.commit_lsn,
          total_order: event.sequence,
          data_collection_order: event.tableSequence,
        };
  if (form.wrapping === 'cloudEvents') {
    const attributes = JSON.stringify(cloudEventOf(source, op, transaction));
    return Buffer.from(`${attributes.slice(0, -1)},"data":{"schema":${schema},"payload":{${rows}}}}`);
  }
  const rest = JSON.stringify({ source, op, ts_ms: source.ts_ms + 500, transaction });
  return Buffer.from(`{"schema":${schema},"payload":{${rows},${rest.slice(1)}}`);
}

function rowJson({ whole }: SourceEvent, form: DebeziumForm, row: RowImage): string {
  if (row.length === 0) return 'null';
  const types = new Map(whole.columns.map(({ name, type }) => [name, type]));
  const members = row.map(
    ([name, text]) => `${JSON.stringify(name)}:${debeziumValue(types.get(name) ?? '', text, form).json}`,
  );
  return `{${members.join(',')}}`;
}

function schemaOf({ db, schema, table, whole }: SourceEvent, form: DebeziumForm): string {
  const fields = whole.columns.map(({ name, type }) => ({
    ...debeziumValue(type, null, form).schema,
    field: name,
  }));
  const name = `server.${db}.${schema}.${table}`;
  const row = (field: string) => ({ type: 'struct', fields, optional: true, name: `${name}.Value`, field });
  return JSON.stringify({
    type: 'struct',
    fields: [row('before'), row('after')],
    optional: false,
    name: `${name}.Envelope`,
    version: 2,
  });
}

/** Two changes share a change LSN, and their serial numbers tell them apart. */
const CHANGES_PER_LSN = 2;

function sourceOf(event: SourceEvent, op: DebeziumOp) {
  const { db, schema, table, time, sequence, commitLsn } = event;
  const changeLsn = { ...event.beginLsn, slot: Math.ceil(sequence / CHANGES_PER_LSN) };
  const place =
    op === 'r'
      ? { change_lsn: null, event_serial_no: null }
      : { change_lsn: debeziumLsn(changeLsn), event_serial_no: 1 + ((sequence - 1) % CHANGES_PER_LSN) };
  return {
    version: '3.0.0.Final',
    connector: 'sqlserver',
    name: 'server',
    ts_ms: Date.parse(time),
    snapshot: op === 'r' ? 'true' : 'false',
    db,
    sequence: null,
    schema,
    table,
    commit_lsn: debeziumLsn(commitLsn),
    ...place,
  };
}

/**
 * The attributes are the fields of `source`, `op` and, after `tx`, `transaction`, as text and without underscores. The
 * last are null where there is no transaction.
 */
function cloudEventOf(
  source: ReturnType<typeof sourceOf>,
  op: DebeziumOp,
  transaction: {
    readonly id: string;
    readonly total_order: number;
    readonly data_collection_order: number;
  } | null,
): Record<string, string | null> {
  const attributes = Object.entries(source).flatMap(([name, value]) =>
    value === null ? [] : [[`iodebezium${name.replaceAll('_', '')}`, String(value)] as const],
  );
  return {
    id: `name:server;change_lsn:${source.change_lsn};commit_lsn:${source.commit_lsn};event_serial_no:${source.event_serial_no}`,
    source: '/debezium/sqlserver/server',
    specversion: '1.0',
    type: 'io.debezium.connector.sqlserver.DataChangeEvent',
    time: new Date(source.ts_ms).toISOString(),
    datacontenttype: 'application/json',
    iodebeziumop: op,
    ...Object.fromEntries(attributes),
    iodebeziumtxid: transaction?.id ?? null,
    iodebeziumtxtotalorder: textOf(transaction?.total_order),
    iodebeziumtxdatacollectionorder: textOf(transaction?.data_collection_order),
  };
}

function textOf(number: number | undefined): string | null {
  return number === undefined ? null : String(number);
}
