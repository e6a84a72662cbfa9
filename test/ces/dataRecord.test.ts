import assert from 'node:assert/strict';
import { test } from 'node:test';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { assertDataError } from '../support/dataErrorOf.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { changeOf } from '../support/readBody.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 0x2c0000_0300_017c);

function withTransaction(transaction: unknown): Buffer {
  const data = jsonData(event);
  return jsonMessage(event, {
    data: JSON.stringify({ ...data, eventsource: { ...data.eventsource, transaction } }),
  });
}

const lsn = event.logicalid.split(':')[1] ?? '';

test('the transaction block agrees with logicalid, whether its LSN has colons, or lower case, or not', () => {
  const grouped = `${lsn.slice(0, 8)}:${lsn.slice(8, 16)}:${lsn.slice(16)}`;
  for (const commitlsn of [grouped, lsn, grouped.toLowerCase(), lsn.toLowerCase()]) {
    const change = changeOf(withTransaction({ commitlsn, sequencenumber: 1 }));
    assert.equal(change.position.lsn, lsn);
  }
});

test('without a transaction block logicalid alone counts', () => {
  assert.equal(changeOf(withTransaction(undefined)).position.lsn, lsn);
});

for (const [what, commitlsn, sequencenumber] of [
  ['another LSN', '0000002C:00000300:017D', 1],
  ['another sequence number', lsn, 2],
  ['an LSN that is none', 'none', 1],
  ['colons in other places', `${lsn.slice(0, 4)}:${lsn.slice(4)}`, 1],
  ['a negative sequence number', lsn, -1],
  ['a broken sequence number', lsn, 1.5],
] as const) {
  test(`${what} in the transaction block is an order conflict that names both positions`, () => {
    const text = new RegExp(
      `logicalid says LSN ${lsn}, sequence 1; transaction says "${commitlsn}", ${sequencenumber}`,
    );
    assertDataError(() => changeOf(withTransaction({ commitlsn, sequencenumber })), 'order-conflict', text);
  });
}

test('an Avro transaction block is checked too', () => {
  const other: TestEvent = { ...event, sequencenumber: 9 };
  const body = avroMessage(event, avroData(other));
  assertDataError(() => changeOf(body), 'order-conflict', /sequence 1; transaction says "[0-9A-F:]{22}", 9/);
});

test('a foreign commitlsn is cut in the error', () => {
  const body = withTransaction({ commitlsn: 'x'.repeat(5000), sequencenumber: 1 });
  assertDataError(() => changeOf(body), 'order-conflict', /^.{1,300}$/);
});
