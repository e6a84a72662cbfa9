import { lsnDigits } from './lsn.ts';
import type { Segment } from './segments.ts';

/** The attributes before the segment fields, in the order of the published messages. */
export interface EnvelopeHead {
  readonly specversion: string;
  readonly type: string;
  readonly source: string;
  readonly id: string;
  readonly logicalid: string;
  readonly time: string;
  readonly datacontenttype: string;
  readonly operation: string;
}

const SEQUENCE_DIGITS = 20;

/** `id` is the message's own: a producer that sends again may give a new one. */
export function envelopeHead({ event, form }: Segment, id: string): EnvelopeHead {
  const sequence = String(event.sequence).padStart(SEQUENCE_DIGITS, '0');
  return {
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id,
    logicalid: `${event.streamGroup}:${lsnDigits(event.commitLsn)}:${sequence}`,
    time: event.time,
    datacontenttype: form.generation === 'segment' ? 'application/avro-json' : 'application/json',
    operation: event.operation,
  };
}
