import avsc from 'avsc';
import type { AvroType } from './avro.ts';

/** The CES CloudEvent (CES message format, "CES CloudEvent Avro schema"). */
export const envelopeType: AvroType<AvroEnvelope> = readerOf(
  record('ChangeEvent', {
    specversion: 'string',
    type: 'string',
    source: 'string',
    id: 'string',
    logicalid: 'string',
    time: 'string',
    datacontenttype: 'string',
    operation: 'string',
    segmentindex: 'int',
    finalsegment: 'boolean',
    data: 'bytes',
  }),
  record('ChangeEvent', {
    type: 'string',
    logicalid: 'string',
    time: 'string',
    operation: 'string',
    segmentindex: 'int',
    finalsegment: 'boolean',
    data: 'bytes',
  }),
);

export interface AvroEnvelope {
  readonly type: string;
  readonly logicalid: string;
  readonly time: string;
  readonly operation: string;
  readonly segmentindex: number;
  readonly finalsegment: boolean;
  readonly data: Buffer;
}

/**
 * The `Data` record has two published revisions: `transaction` without and with `finalevent`. A record is its
 * fields one after the other, so both are a description of the table, then these, then one of the two tails.
 */
export const tableType: AvroType<AvroTable> = readerOf(
  record('TableDescription', {
    db: 'string',
    schema: 'string',
    tbl: 'string',
    cols: array('Column', { name: 'string', type: 'string', index: 'int' }),
  }),
  record('TableDescription', {
    db: 'string',
    schema: 'string',
    tbl: 'string',
    cols: array('Column', { name: 'string', type: 'string' }),
  }),
);

export interface AvroTable {
  readonly db: string;
  readonly schema: string;
  readonly tbl: string;
  readonly cols: readonly { readonly name: string; readonly type: string }[];
}

export const positionType: AvroType<AvroPosition> = readerOf(
  record('Position', {
    pkkey: array('PkKey', { columnname: 'string', value: 'string' }),
    commitlsn: 'string',
    beginlsn: 'string',
    sequencenumber: 'int',
  }),
  record('Position', {
    pkkey: array('PkKey', { columnname: 'string', value: 'string' }),
    commitlsn: 'string',
    sequencenumber: 'int',
  }),
);

export interface AvroPosition {
  readonly pkkey: readonly { readonly columnname: string; readonly value: string }[];
  readonly commitlsn: string;
  readonly sequencenumber: number;
}

const tail = { committime: 'string', old: 'string', current: 'string' };

export const tailWithoutFinalEvent: AvroType<AvroDataTail> = readerOf(
  record('DataTail', tail),
  record('DataTail', tail),
);
export const tailWithFinalEvent: AvroType<AvroDataTail> = readerOf(
  record('DataTail', { finalevent: 'boolean', ...tail }),
  record('DataTail', tail),
);

export interface AvroDataTail {
  readonly committime: string;
  readonly old: string;
  readonly current: string;
}

function readerOf(
  written: avsc.Type,
  wanted: avsc.Type,
): { reader: avsc.Type; resolver: AvroType<unknown>['resolver'] } {
  return { reader: wanted, resolver: wanted.createResolver(written) };
}

type Fields = Readonly<Record<string, avsc.Schema>>;

function record(name: string, fields: Fields): avsc.Type {
  return avsc.Type.forSchema(recordSchema(name, fields));
}

function array(name: string, fields: Fields): avsc.Schema {
  return { type: 'array', items: recordSchema(name, fields) };
}

function recordSchema(name: string, fields: Fields): avsc.Schema {
  const schemas = Object.entries(fields).map(([field, type]) => ({ name: field, type }));
  return { type: 'record', name, fields: schemas };
}
