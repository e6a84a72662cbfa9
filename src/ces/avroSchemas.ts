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
 * fields one after the other, so both are these parts, with arrays of columns and key columns after the names,
 * followed by one of the two tails.
 */
export const namesType: AvroType<AvroNames> = {
  type: record('Names', { db: 'string', schema: 'string', tbl: 'string' }),
};
export const columnType: AvroType<AvroColumn> = {
  type: record('Column', { name: 'string', type: 'string', index: 'int' }),
};
export const keyColumnType: AvroType<AvroKeyColumn> = {
  type: record('PkKey', { columnname: 'string', value: 'string' }),
};
export const positionType: AvroType<AvroPosition> = {
  type: record('Position', { commitlsn: 'string', beginlsn: 'string', sequencenumber: 'int' }),
};

export interface AvroNames {
  readonly db: string;
  readonly schema: string;
  readonly tbl: string;
}

export interface AvroColumn {
  readonly name: string;
  readonly type: string;
}

export interface AvroKeyColumn {
  readonly columnname: string;
  readonly value: string;
}

export interface AvroPosition {
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

function record(name: string, fields: Readonly<Record<string, string>>): avsc.Type {
  return avsc.Type.forSchema({
    type: 'record',
    name,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
  });
}
