import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEvent } from '../../src/ces/decodeEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { Bug } from '../../src/errors/bug.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

test('both encodings, and every way to write data, give the same change', () => {
  const current = JSON.stringify({ Id: '7', Name: 'Zoë 漢 \u{1f600} "\\/' });
  const event = insertEvent(7, 3, { operation: 'UPD', old: '{"Id":"7","Name":null}', current });
  const data = jsonData(event);
  const text = JSON.stringify(data);
  const images = { old: JSON.parse(event.old), current: JSON.parse(current) };
  const bodies = [
    jsonMessage(event),
    jsonMessage(event, { data: text.replaceAll('/', '\\/') }),
    jsonMessage(event, { data: JSON.stringify(data, null, 2) }),
    jsonMessage(event, { data: Buffer.from(text).toString('latin1') }),
    jsonMessage(event, { data: undefined, data_base64: Buffer.from(text).toString('base64') }),
    jsonMessage(event, { data }),
    jsonMessage(event, { data: { ...data, eventrow: images } }),
    jsonMessage(event, { data: JSON.stringify({ ...data, eventrow: images }) }),
    avroMessage(event),
  ];
  for (const body of bodies) {
    const { columns, ...change } = decodeEvent([readMessage(body)]);
    assert.deepEqual(change, {
      position: readMessage(body).logicalId,
      table: { db: 'shop', schema: 'dbo', name: 'Items' },
      operation: 'UPD',
      time: '2026-08-07T16:25:00.890Z',
      key: [{ column: 'Id', value: '7' }],
      old: { Id: '7', Name: null },
      current: { Id: '7', Name: 'Zoë 漢 \u{1f600} "\\/' },
    });
    assert.deepEqual(
      columns.map(({ name, type }) => `${name} ${type}`),
      ['Id int', 'Name nvarchar(50)'],
    );
  }
});

test('no segments are a defect of the caller', () => {
  assert.throws(() => decodeEvent([]), Bug);
});
