import type { TestEvent } from './testEvent.ts';

/** The `data` of an event as an object; a test can change it before it becomes text. */
export function jsonData(event: TestEvent) {
  const { db, schema, tbl, cols, pkkey, commitlsn, sequencenumber, old, current } = event;
  const transaction = { commitlsn, beginlsn: commitlsn, sequencenumber, committime: event.time };
  return {
    eventsource: { db, schema, tbl, cols, pkkey, transaction },
    eventrow: { old, current },
  };
}

/**
 * One message as an object: the envelope around `data`. `attributes` replace what they name; undefined takes an
 * attribute away.
 */
export function jsonEnvelope(
  event: TestEvent,
  attributes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id: '56cb8ff3-5c55-4f3b-a7f7-b044d1933ef6',
    logicalid: event.logicalid,
    time: event.time,
    datacontenttype: 'application/json',
    operation: event.operation,
    segmentindex: 0,
    finalsegment: true,
    data: JSON.stringify(jsonData(event)),
    ...attributes,
  };
}

/** One message as bytes. */
export function jsonMessage(event: TestEvent, attributes: Readonly<Record<string, unknown>> = {}): Buffer {
  return Buffer.from(JSON.stringify(jsonEnvelope(event, attributes)), 'utf8');
}
