import assert from 'node:assert/strict';
import { test } from 'node:test';
import avsc from 'avsc';
import { decodeAvroData } from '../../src/ces/decodeAvroData.ts';
import { readAvroEnvelope } from '../../src/ces/readAvroEnvelope.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { caseFile } from '../support/caseFile.ts';
import { jsonData } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const published = (name: string): avsc.Type =>
  avsc.Type.forSchema(JSON.parse(caseFile(name).toString('utf8')));
const event = insertEvent(5, 9, { old: '{"Id":"5"}' });

test('an envelope written with the published schema is read, and is what the tests write by hand', () => {
  const data = avroData(event);
  const body = published('change-event.avsc').toBuffer({
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id: '56cb8ff3-5c55-4f3b-a7f7-b044d1933ef6',
    logicalid: event.logicalid,
    time: event.time,
    datacontenttype: 'application/avro-binary',
    operation: 'INS',
    segmentindex: 2,
    finalsegment: false,
    data,
  });
  assert.deepEqual(body, avroMessage(event, data, { segmentindex: 2, finalsegment: false }));
  const segment = readAvroEnvelope(body);
  assert.deepEqual(
    [segment.logicalId.text, segment.operation, segment.time, segment.index, segment.final, segment.payload],
    [event.logicalid, 'INS', event.time, 2, false, { kind: 'bytes', bytes: data }],
  );
});

for (const [name, extra] of [
  ['data-without-finalevent.avsc', {}],
  ['data-with-finalevent.avsc', { finalevent: false }],
  ['data-with-finalevent.avsc', { finalevent: true }],
] as const) {
  test(`data written with ${name} ${JSON.stringify(extra)} is read, and is what the tests write by hand`, () => {
    const data = jsonData(event);
    const bytes = published(name).toBuffer({
      ...data,
      eventsource: { ...data.eventsource, transaction: { ...data.eventsource.transaction, ...extra } },
    });
    assert.deepEqual(bytes, avroData(event, extra));
    const { columns, ...rest } = decodeAvroData(bytes);
    assert.deepEqual(
      columns.map(({ name: column, type }) => [column, type]),
      [
        ['Id', 'int'],
        ['Name', 'nvarchar(50)'],
      ],
    );
    assert.deepEqual(rest, {
      table: { db: 'shop', schema: 'dbo', name: 'Items' },
      key: [{ column: 'Id', value: '5' }],
      transaction: { commitlsn: '00000000:00000000:0009', sequencenumber: 1 },
      old: { Id: '5' },
      current: { Id: '5', Name: 'name 9' },
    });
  });
}
