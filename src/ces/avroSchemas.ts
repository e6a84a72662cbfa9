import avsc from 'avsc';
import type { AvroType } from './avro.ts';

/** The CES CloudEvent (CES message format, "CES CloudEvent Avro schema"). */
export const envelopeType: AvroType<AvroEnvelope> = {
  type: record('ChangeEvent', {
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
};

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
 * fields one after the other, so both are this head followed by one of the two tails.
 */
export const dataHeadType: AvroType<AvroDataHead> = {
  type: record('DataHead', {
    db: 'string',
    schema: 'string',
    tbl: 'string',
    cols: array('Column', { name: 'string', type: 'string', index: 'int' }),
    pkkey: array('PkKey', { columnname: 'string', value: 'string' }),
    commitlsn: 'string',
    beginlsn: 'string',
    sequencenumber: 'int',
  }),
};

export interface AvroDataHead {
  readonly db: string;
  readonly schema: string;
  readonly tbl: string;
  readonly cols: readonly { readonly name: string; readonly type: string }[];
  readonly pkkey: readonly { readonly columnname: string; readonly value: string }[];
  readonly commitlsn: string;
  readonly sequencenumber: number;
}

const tail = { committime: 'string', old: 'string', current: 'string' };

export const tailWithoutFinalEvent: AvroType<AvroDataTail> = { type: record('DataTail', tail) };
export const tailWithFinalEvent: AvroType<AvroDataTail> = {
  type: record('DataTailWithFinalEvent', { finalevent: 'boolean', ...tail }),
};

export interface AvroDataTail {
  readonly committime: string;
  readonly old: string;
  readonly current: string;
}

function record(name: string, fields: Readonly<Record<string, avsc.Schema>>): avsc.Type {
  return avsc.Type.forSchema(recordSchema(name, fields));
}

function array(name: string, fields: Readonly<Record<string, avsc.Schema>>): avsc.Schema {
  return { type: 'array', items: recordSchema(name, fields) };
}

function recordSchema(name: string, fields: Readonly<Record<string, avsc.Schema>>): avsc.Schema {
  return {
    type: 'record',
    name,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
  };
}
