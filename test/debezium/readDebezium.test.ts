import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDebezium } from '../../src/debezium/readDebezium.ts';

import { assertDataError } from '../support/dataErrorOf.ts';
import {
  debeziumCase,
  debeziumChange,
  plainMessage,
  schemaMessage,
  source,
  type TestField,
} from '../support/debeziumMessage.ts';

const fields: readonly TestField[] = [
  ['Id', { type: 'int32' }, '1'],
  ['Name', { type: 'string' }, '"a"'],
];
const row = { Id: '1', Name: 'a' };

test('the published enriched change', () => {
  assert.deepEqual(debeziumChange(debeziumCase('enriched-change.json')), {
    position: {
      lsn: '0000002500000D080025',
      sequence: '0000002500000D080021-0000000001',
      text: '0000002500000D080025:0000002500000D080021-0000000001',
      totalOrder: 1,
      dataCollectionOrder: 1,
    },
    table: { db: 'testDB', schema: 'dbo', name: 'tablea' },
    operation: 'INS',
    time: '2020-01-30T13:28:04.300Z',
    columns: [
      { name: 'pk', type: '' },
      { name: 'aa', type: '' },
    ],
    key: [],
    old: null,
    current: { pk: '2', aa: '1' },
  });
});

test('the published transaction boundaries', () => {
  const lsn = '0000002500000D080025';
  assert.deepEqual(readDebezium(debeziumCase('transaction-begin.json')), {
    kind: 'boundary',
    boundary: { status: 'BEGIN', lsn, eventCount: null, dataCollections: null },
  });
  const end = {
    kind: 'boundary',
    boundary: {
      status: 'END',
      lsn,
      eventCount: 2,
      dataCollections: [
        { dataCollection: 'testDB.dbo.tablea', eventCount: 1 },
        { dataCollection: 'testDB.dbo.tableb', eventCount: 1 },
      ],
    },
  };
  const body = debeziumCase('transaction-end.json');
  assert.deepEqual(readDebezium(body), end);
  const inText = body.toString().replaceAll(/"event_count": (\d)/g, '"event_count": "$1"');
  assert.deepEqual(readDebezium(Buffer.from(inText)), end);
  const wrapped = `{"schema":{"type":"struct","fields":[]},"payload":${body.toString()}}`;
  assert.deepEqual(readDebezium(Buffer.from(wrapped)), end);
});

for (const [op, operation, parts, old, current] of [
  ['c', 'INS', {}, null, row],
  ['u', 'UPD', { before: 'ROW' }, row, row],
  ['u', 'UPD', {}, null, row],
  ['d', 'DEL', { before: 'ROW', after: null }, row, null],
] as const) {
  test(`op ${op} is ${operation}, with schema and without (${old === null ? 'no old row' : 'old row'})`, () => {
    for (const body of [schemaMessage(fields, { ...parts, op }), plainMessage(fields, { ...parts, op })]) {
      const change = debeziumChange(body);
      assert.deepEqual([change.operation, change.old, change.current], [operation, old, current]);
      assert.deepEqual(change.table, { db: 'shop', schema: 'dbo', name: 'Items' });
      assert.equal(change.time, '2025-08-07T16:25:00.650Z');
      assert.equal(change.position.lsn, '0000002C00000300017C');
      assert.equal(change.position.sequence, '0000002C000003000178-0000000001');
      assert.equal(change.position.totalOrder, undefined);
      assert.deepEqual(
        change.columns.map(({ name }) => name),
        ['Id', 'Name'],
      );
    }
  });
}

test('a row of a snapshot comes before every change, and after rows of earlier snapshots', () => {
  const snapshot = { ...source, snapshot: 'last', change_lsn: null, event_serial_no: null };
  const at = (parts: object) =>
    debeziumChange(plainMessage(fields, { op: 'r', source: { ...snapshot, ...parts } })).position;
  assert.deepEqual(at({}), {
    lsn: '00000000000000000000',
    sequence: '0000002C00000300017C-1754583900',
    text: '00000000000000000000:0000002C00000300017C-1754583900',
  });
  assert.ok(at({}).sequence < at({ ts_ms: source.ts_ms + 1000 }).sequence);
  assert.ok(
    at({ ts_ms: source.ts_ms + 1000 }).sequence < at({ commit_lsn: '0000002c:00000300:017d' }).sequence,
  );
  // An incremental snapshot may have no LSN at all.
  assert.ok(at({ commit_lsn: null }).sequence < at({}).sequence);
  // Flink CDC writes 00; such rows were put aside, all of them.
  for (const commit_lsn of ['00', 'NULL']) assert.deepEqual(at({ commit_lsn }), at({ commit_lsn: null }));
});

test('old connectors without event_serial_no, and LSNs in upper case', () => {
  const { event_serial_no, ...rest } = source;
  const { position } = debeziumChange(
    plainMessage(fields, { source: { ...rest, commit_lsn: '0000002C:00000300:017C' } }),
  );
  assert.equal(event_serial_no, 1);
  assert.equal(position.text, '0000002C00000300017C:0000002C000003000178-0000000000');
});

const cloudEvent = {
  id: 'name:server1;change_lsn:0000002c:00000300:0178;commit_lsn:0000002c:00000300:017c;event_serial_no:1',
  source: '/debezium/sqlserver/server1',
  specversion: '1.0',
  type: 'io.debezium.connector.sqlserver.DataChangeEvent',
  time: '2025-08-07T16:25:01.150Z',
  datacontenttype: 'application/json',
  iodebeziumop: 'u',
  iodebeziumversion: '3.0.0.Final',
  iodebeziumconnector: 'sqlserver',
  iodebeziumname: 'server1',
  iodebeziumtsms: '1754583900650',
  iodebeziumsnapshot: 'false',
  iodebeziumdb: 'shop',
  iodebeziumschema: 'dbo',
  iodebeziumtable: 'Items',
  iodebeziumchangelsn: '0000002c:00000300:0178',
  iodebeziumcommitlsn: '0000002c:00000300:017c',
  iodebeziumeventserialno: '1',
  iodebeziumtxid: '0000002c:00000300:017c',
  iodebeziumtxtotalorder: '3',
  iodebeziumtxdatacollectionorder: '2',
};

test('a CloudEvent around either form is the same change', () => {
  const forms = [plainMessage, schemaMessage].map((message) => {
    const transaction = { id: source.commit_lsn, total_order: 3, data_collection_order: 2 };
    const bare = debeziumChange(message(fields, { op: 'u', before: 'ROW', transaction }));
    const { schema, payload } = JSON.parse(message(fields, { before: 'ROW' }).toString());
    const rows =
      payload === undefined ? JSON.parse(plainMessage(fields, { before: 'ROW' }).toString()) : payload;
    const images = { before: rows.before, after: rows.after };
    const data = schema === undefined ? images : { schema, payload: images };
    return { bare, data };
  });
  for (const { bare, data } of forms) {
    for (const sent of [data, JSON.stringify(data)]) {
      assert.deepEqual(debeziumChange(Buffer.from(JSON.stringify({ ...cloudEvent, data: sent }))), bare);
    }
    const old = { ...cloudEvent, type: 'io.debezium.sqlserver.datachangeevent', data };
    assert.deepEqual(debeziumChange(Buffer.from(JSON.stringify(old))), bare);
  }
});

// The converter calls them `tx...`; under the names that were read here no CloudEvent ever had a number.
test('a CloudEvent tells the numbers of its change, or null, and its id may be missing', () => {
  const positionOf = (parts: object) => {
    const data = { before: null, after: { Id: 1 } };
    return debeziumChange(Buffer.from(JSON.stringify({ ...cloudEvent, ...parts, data }))).position;
  };
  const ordersOf = (parts: object) => {
    const { totalOrder, dataCollectionOrder } = positionOf(parts);
    return [totalOrder, dataCollectionOrder];
  };
  assert.deepEqual(ordersOf({}), [3, 2]);
  assert.deepEqual(ordersOf({ iodebeziumtxid: undefined }), [3, 2]);
  const none = { iodebeziumtxid: null, iodebeziumtxtotalorder: null, iodebeziumtxdatacollectionorder: null };
  assert.deepEqual(ordersOf(none), [undefined, undefined]);
  assert.equal('totalOrder' in positionOf(none), false);
});

for (const [what, message, ignored] of [
  ['a truncation', { source, op: 't' }, 'truncate'],
  ['a logical message', { source, op: 'm', message: {} }, 'logical message'],
  ['a heartbeat', { ts_ms: 1 }, 'heartbeat'],
  [
    'a change of the schema',
    { source, ts_ms: 1, databaseName: 'shop', ddl: null, tableChanges: [] },
    'schema change',
  ],
  ['a tombstone with schema', { schema: null, payload: null }, 'tombstone'],
] as const) {
  test(`${what} says nothing of a row`, () => {
    for (const body of [message, { schema: null, payload: message }]) {
      if (what.startsWith('a tombstone') && body !== message) continue;
      assert.deepEqual(readDebezium(Buffer.from(JSON.stringify(body))), { kind: 'ignored', what: ignored });
    }
  });
}

for (const body of [
  '',
  '{}',
  '[]',
  'null',
  '{"a":1}',
  '{"op":"c"}',
  '{"status":"BEGIN"}',
  '{"schema":1,"payload":{"op":"c"}}',
  '{',
  '\x061.0',
])
  test(`${JSON.stringify(body)} is nothing of Debezium's`, () => {
    assert.equal(readDebezium(Buffer.from(body)), undefined);
  });

const without = (name: keyof typeof source) => ({ source: { ...source, [name]: null } });
for (const [what, parts, code, text] of [
  [
    'another connector',
    { source: { ...source, connector: 'mysql' } },
    'unknown-type',
    /"mysql", expected "sqlserver"/,
  ],
  ['another operation', { op: 'x' }, 'unknown-operation', /op is "x"/],
  ['no commit LSN', without('commit_lsn'), 'missing-attribute', /source has no commit_lsn/],
  ['no change LSN', without('change_lsn'), 'missing-attribute', /source has no change_lsn/],
  ['no table', without('table'), 'wrong-type', /table in source is null/],
  [
    'an LSN that is none',
    { source: { ...source, change_lsn: '12' } },
    'invalid-logical-id',
    /change_lsn in source is not/,
  ],
  [
    'a serial number that is none',
    { source: { ...source, event_serial_no: -1 } },
    'wrong-type',
    /event_serial_no/,
  ],
  [
    'a serial number too large',
    { source: { ...source, event_serial_no: 1e10 } },
    'invalid-logical-id',
    /10 digits/,
  ],
  ['a row that is none', { after: 'marker' }, 'wrong-type', /^after is a string/],
] as const) {
  test(`${what} is an error that shows no values`, () => {
    assertDataError(() => readDebezium(plainMessage(fields, parts)), code, text);
  });
}

test('a CloudEvent without its attributes names the first that is missing', () => {
  const { iodebeziumop, ...rest } = cloudEvent;
  assert.equal(iodebeziumop, 'u');
  const body = Buffer.from(JSON.stringify({ ...rest, data: {} }));
  assertDataError(() => readDebezium(body), 'missing-attribute', /has no iodebeziumop/);
});

test('a message that is nested too deep is put aside: a stack that overflowed failed its batch for ever', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const messages = [
    `{"op":"c","after":{"Id":${deep}},"source":${JSON.stringify(source)}}`,
    `{"schema":{"fields":[{"field":"after","fields":[{"field":"Id","x":${deep}}]}]},"payload":{"op":"c","after":{"Id":1},"source":${JSON.stringify(source)}}}`,
  ];
  for (const message of messages)
    assertDataError(() => readDebezium(Buffer.from(message)), 'invalid-json', /too deep/);
});
