import avsc from 'avsc';
import { envelopeHead } from './envelope.ts';
import type { Form } from './form.ts';
import { payloadOf } from './payload.ts';
import type { Segment } from './segments.ts';
import type { SourceEvent } from './sourceEvent.ts';

/** The whole `data` of an event as one raw Avro datum, record `Data`. */
export function avroData(event: SourceEvent, generation: Form['generation']): Buffer {
  const type = generation === 'segment-final' ? dataWithFinalEvent : dataWithoutFinalEvent;
  return type.toBuffer(payloadOf(event, generation));
}

/** One message of the Avro encoding: a raw datum without a container, fingerprint or registry id. */
export function avroMessage(segment: Segment, id: string): Buffer {
  return changeEvent.toBuffer({
    ...envelopeHead(segment, id),
    segmentindex: segment.index,
    finalsegment: segment.final,
    data: segment.part,
  });
}

type Field = { readonly name: string; readonly type: avsc.Schema };

const HEAD_ATTRIBUTES = [
  'specversion',
  'type',
  'source',
  'id',
  'logicalid',
  'time',
  'datacontenttype',
  'operation',
];

const changeEvent = record('ChangeEvent', [
  ...texts(HEAD_ATTRIBUTES),
  { name: 'segmentindex', type: 'int' },
  { name: 'finalsegment', type: 'boolean' },
  { name: 'data', type: 'bytes' },
]);
const dataWithoutFinalEvent = dataType([]);
const dataWithFinalEvent = dataType([{ name: 'finalevent', type: 'boolean' }]);

/** The two published revisions differ in one field before `committime`. */
function dataType(extraTransactionFields: readonly Field[]): avsc.Type {
  const column = record('Column', [...texts(['name', 'type']), { name: 'index', type: 'int' }]);
  const transaction = record('Transaction', [
    ...texts(['commitlsn', 'beginlsn']),
    { name: 'sequencenumber', type: 'int' },
    ...extraTransactionFields,
    ...texts(['committime']),
  ]);
  const eventSource = record('EventSource', [
    ...texts(['db', 'schema', 'tbl']),
    { name: 'cols', type: { type: 'array', items: column } },
    { name: 'pkkey', type: { type: 'array', items: record('PkKey', texts(['columnname', 'value'])) } },
    { name: 'transaction', type: transaction },
  ]);
  return record('Data', [
    { name: 'eventsource', type: eventSource },
    { name: 'eventrow', type: record('EventRow', texts(['old', 'current'])) },
  ]);
}

function record(name: string, fields: readonly Field[]): avsc.Type {
  return avsc.Type.forSchema({ type: 'record', name, fields: [...fields] });
}

function texts(names: readonly string[]): Field[] {
  return names.map((name) => ({ name, type: 'string' }));
}
