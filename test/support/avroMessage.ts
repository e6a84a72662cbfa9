import { type ArrayForm, avroArray, avroBoolean, avroBytes, avroLong, avroText } from './avroWriter.ts';
import type { TestEvent } from './testEvent.ts';

export interface AvroForm extends ArrayForm {
  /** Written between `sequencenumber` and `committime`; left out in the revision without it. */
  readonly finalevent?: boolean;
  readonly committime?: string;
}

/** The `Data` record of an event, of either published revision. */
export function avroData(event: TestEvent, form: AvroForm = {}): Buffer {
  const { finalevent, committime = event.time } = form;
  return Buffer.concat([
    avroText(event.db),
    avroText(event.schema),
    avroText(event.tbl),
    avroArray(
      event.cols.map(({ name, type, index }) =>
        Buffer.concat([avroText(name), avroText(type), avroLong(index)]),
      ),
      form,
    ),
    avroArray(
      event.pkkey.map(({ columnname, value }) => Buffer.concat([avroText(columnname), avroText(value)])),
      form,
    ),
    avroText(event.commitlsn),
    avroText(event.commitlsn),
    avroLong(event.sequencenumber),
    ...(finalevent === undefined ? [] : [avroBoolean(finalevent)]),
    avroText(committime),
    avroText(event.old),
    avroText(event.current),
  ]);
}

/** One message: the envelope around `data`, or a part of it. */
export function avroMessage(
  event: TestEvent,
  data: Uint8Array = avroData(event),
  attributes: Partial<AvroAttributes> = {},
): Buffer {
  const all: AvroAttributes = {
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id: '56cb8ff3-5c55-4f3b-a7f7-b044d1933ef6',
    logicalid: event.logicalid,
    time: event.time,
    datacontenttype: 'application/avro-binary',
    operation: event.operation,
    segmentindex: 0,
    finalsegment: true,
    ...attributes,
  };
  return Buffer.concat([
    avroText(all.specversion),
    avroText(all.type),
    avroText(all.source),
    avroText(all.id),
    avroText(all.logicalid),
    avroText(all.time),
    avroText(all.datacontenttype),
    avroText(all.operation),
    avroLong(all.segmentindex),
    avroBoolean(all.finalsegment),
    avroBytes(data),
  ]);
}

export interface AvroAttributes {
  readonly specversion: string;
  readonly type: string;
  readonly source: string;
  readonly id: string;
  readonly logicalid: string;
  readonly time: string;
  readonly datacontenttype: string;
  readonly operation: string;
  readonly segmentindex: number;
  readonly finalsegment: boolean;
}
