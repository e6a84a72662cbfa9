import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelopeOf } from '../../../local/ops/envelope.ts';
import { avroMessage } from '../../support/avroMessage.ts';
import { debeziumCase, schemaMessage } from '../../support/debeziumMessage.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { insertEvent } from '../../support/testEvent.ts';

const SECRET = 'Anna Doe';
const event = insertEvent(1, 7, { current: JSON.stringify({ Id: '1', Name: SECRET }) });

test('a JSON message tells its attributes', () => {
  const { envelope, unreadable } = envelopeOf(jsonMessage(event, { extra: SECRET }));
  assert.equal(unreadable, undefined);
  assert.equal(envelope?.['logicalid'], event.logicalid);
  assert.deepEqual([envelope?.['segmentindex'], envelope?.['finalsegment']], [0, true]);
  assert.equal(envelope?.['extra'], '(not shown)');
  assert.ok(!('data' in (envelope ?? {})));
});

test('an Avro message does too', () => {
  assert.deepEqual(envelopeOf(avroMessage(event)), {
    envelope: {
      logicalid: event.logicalid,
      operation: 'INS',
      time: event.time,
      segmentindex: 0,
      finalsegment: true,
      encoding: 'avro',
    },
  });
});

test('a message whose end is missing tells what comes before the row', () => {
  const whole = jsonMessage(event);
  const { envelope, unreadable } = envelopeOf(whole.subarray(0, whole.length - 5));
  assert.match(unreadable ?? '', /not JSON/);
  assert.equal(envelope?.['logicalid'], event.logicalid);
  assert.equal(envelope?.['operation'], 'INS');
  assert.equal(envelope?.['segmentindex'], 0);
});

test('values are never shown, whatever the message is', () => {
  const whole = jsonMessage(event);
  for (const body of [
    whole,
    ...Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length)),
    avroMessage(event).subarray(0, -1),
    jsonMessage(event, { time: { Name: SECRET } }),
    Buffer.from(JSON.stringify({ Id: 1, Name: SECRET })),
    Buffer.from(JSON.stringify([SECRET])),
    Buffer.from(`{"Name":"${SECRET}"`),
    Buffer.from(SECRET),
    Buffer.alloc(0),
  ]) {
    assert.ok(!JSON.stringify(envelopeOf(body)).includes(SECRET));
  }
});

test('long attributes are cut', () => {
  const { envelope } = envelopeOf(jsonMessage(event, { source: 'x'.repeat(5000) }));
  assert.ok(String(envelope?.['source']).length < 300);
});

test('a message of Debezium tells its table and its place, and nothing of the row', () => {
  const body = schemaMessage([['Name', { type: 'string' }, JSON.stringify(SECRET)]]);
  assert.deepEqual(envelopeOf(body), {
    envelope: {
      format: 'Debezium',
      operation: 'INS',
      table: 'shop.dbo.Items',
      time: '2025-08-07T16:25:00.650Z',
      lsn: '0000002C00000300017C',
      sequence: '0000002C000003000178-0000000001',
    },
  });
  assert.deepEqual(envelopeOf(debeziumCase('transaction-end.json')).envelope, {
    format: 'Debezium',
    status: 'END',
    lsn: '0000002500000D080025',
  });
  const broken = envelopeOf(schemaMessage([['Name', {}, JSON.stringify(SECRET)]], { op: 'x' }));
  assert.match(broken.unreadable ?? '', /op is "x"/);
  assert.ok(!JSON.stringify(broken).includes(SECRET));
});
