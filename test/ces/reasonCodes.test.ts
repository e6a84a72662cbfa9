import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleEvent } from '../../src/ces/assembleEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { dataErrors, type ReasonCode } from '../../src/errors/dataErrors.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import type { TableConfig } from '../../src/settings/configSchema.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const event = insertEvent(1, 1);
const data = jsonData(event);

/** For every reason that a message can have by itself: such messages, and what the error must say. */
const messages: Partial<Record<ReasonCode, readonly (readonly [Buffer[], RegExp])[]>> = {
  'empty-message': [[[Buffer.alloc(0)], /^the message has no body$/]],
  'unknown-format': [[[Buffer.from('<xml/>')], /^the body starts with bytes 3C786D6C;/]],
  'invalid-json': [
    [[Buffer.from('{')], /^the envelope is not JSON at position 1 \(1 characters\)$/],
    [[jsonMessage(event, { data: '{' })], /^data is not JSON at position 1 \(1 characters\)$/],
    [
      [jsonMessage(event, { data: { ...data, eventrow: { old: '{', current: '{}' } } })],
      /^eventrow\.old is not JSON at position 1/,
    ],
  ],
  'invalid-avro': [
    [[avroMessage(event).subarray(0, 30)], /^the envelope is cut short \(30 bytes\)$/],
    [[Buffer.concat([avroMessage(event), Buffer.alloc(3)])], /^3 bytes follow the envelope of \d+ bytes$/],
    [[avroMessage(event, avroData(event).subarray(0, 20))], /^data is cut short .*\(20 bytes\)$/],
    [
      [avroMessage(event, Buffer.concat([avroData(event), Buffer.alloc(1)]))],
      /^data \(\d+ bytes\) does not end as either/,
    ],
  ],
  'invalid-utf8': [
    [
      [jsonMessage(event, { data: undefined, data_base64: '/w==' })],
      /^the joined data \(1 bytes\) is not UTF-8$/,
    ],
  ],
  'missing-attribute': [
    [[jsonMessage(event, { logicalid: undefined })], /^the envelope has no logicalid$/],
    [[jsonMessage(event, { data: '{}' })], /^data has no eventsource$/],
  ],
  'wrong-type': [
    [[jsonMessage(event, { operation: 1 })], /^operation in the envelope is a number, expected text$/],
    [[jsonMessage(event, { data: '{"eventsource":[]}' })], /^eventsource is an array, expected an object$/],
  ],
  'unknown-type': [[[jsonMessage(event, { type: 'a.b' })], /^type is "a\.b", expected "com\.microsoft\./]],
  'unknown-operation': [
    [[avroMessage(event, avroData(event), { operation: 'TRN' })], /^operation is "TRN", /],
  ],
  'invalid-logical-id': [[[jsonMessage(event, { logicalid: 'x' })], /^logicalid is "x", expected <GUID>:/]],
  'invalid-segment': [
    [[jsonMessage(event, { segmentindex: -3 })], /^segmentindex is -3, expected an integer from 0 to 99999$/],
  ],
  'segment-conflict': [
    [[jsonMessage(event), jsonMessage(event, { segmentindex: 1 })], /^the event has two ends$/],
    [
      [jsonMessage(event, { finalsegment: false }), avroMessage(event, avroData(event), { segmentindex: 1 })],
      /^the event mixes JSON and Avro segments$/,
    ],
  ],
  'invalid-data': [
    [[jsonMessage(event, { data: undefined, data_base64: '*' })], /^data_base64 is not base64$/],
    [
      [jsonMessage(event, { finalsegment: false, data: {} }), jsonMessage(event, { segmentindex: 1 })],
      /^data is an object in a split event$/,
    ],
  ],
  'order-conflict': [
    [
      [avroMessage(event, avroData({ ...event, sequencenumber: 2 }))],
      /^logicalid says LSN 0+1, sequence 1; tran/,
    ],
  ],
  'no-key': [
    [
      [avroMessage({ ...event, pkkey: [] })],
      /^pkkey is empty: shop\.dbo\.Items has no primary key, and REPLICA_CONFIG names no key for it$/,
    ],
    [
      [
        jsonMessage(event, {
          data: { ...data, eventsource: { ...data.eventsource, pkkey: [{ columnname: 'Id', value: null }] } },
        }),
      ],
      /^key column "Id" is null$/,
    ],
  ],
  'no-row': [
    [[avroMessage({ ...event, current: '{}' })], /^INS of shop\.dbo\.Items carries no current values$/],
  ],
};

/** These come from the configuration: a message, what it says of the table, and what the error must say. */
const configured: Partial<Record<ReasonCode, readonly [TableConfig, RegExp]>> = {
  'key-excluded': [
    { columns: { exclude: ['Id'] } },
    /^REPLICA_CONFIG excludes "Id", part of the key of shop\.dbo\.Items$/,
  ],
  'column-conflict': [
    { columns: { rename: { Name: 'Id' } } },
    /^"Id" and "Name" of shop\.dbo\.Items would both be called "Id"$/,
  ],
};

/** These come from the store or need 128 MB, and are tried elsewhere. */
const fromStore: readonly ReasonCode[] = [
  'segments-missing',
  'event-too-large',
  'item-too-large',
  'foreign-item',
  'refused-by-cosmos',
];

test('every reason code is tried here or belongs to a store', () => {
  const tried = [...Object.keys(messages), ...Object.keys(configured), ...fromStore];
  assert.deepEqual(tried.sort(), Object.keys(dataErrors).sort());
});

test('every reason code says what was found and what to do', () => {
  for (const [code, { meaning, action }] of Object.entries(dataErrors)) {
    assert.match(meaning, /^[A-Z].*\.$/, code);
    assert.match(action, /^[A-Z].*\.$/, code);
  }
});

for (const [code, list] of Object.entries(messages)) {
  for (const [bodies, text] of list ?? []) {
    test(`${code}: ${text.source}`, () => {
      const error = errorOf(bodies);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, text);
    });
  }
}

for (const [code, [table, text]] of Object.entries(configured)) {
  test(`${code}: ${text.source}`, () => {
    const error = errorOf([jsonMessage(event)], new RuleBook({ tables: { 'shop.dbo.Items': table } }));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
  });
}

function errorOf(bodies: readonly Buffer[], rules = new RuleBook()): DataError {
  try {
    const assembly = assembleEvent(bodies.map((body) => readMessage(body)));
    if (assembly.state === 'broken') return assembly.error;
    assert.ok(assembly.state === 'whole', 'segments are missing');
    rowChanges(assembly.change, rules.of(assembly.change.table));
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  assert.fail('nothing is wrong with the messages');
}
