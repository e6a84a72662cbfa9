import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJsonData } from '../../src/ces/decodeJsonData.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import { parseKeepingNumbers } from '../../src/json.ts';
import { assertDataError } from '../support/dataErrorOf.ts';
import { jsonData } from '../support/jsonMessage.ts';
import { insertEvent } from '../support/testEvent.ts';

const whole = jsonData(insertEvent(7, 3));
const source = (changes: object) =>
  JSON.stringify({ ...whole, eventsource: { ...whole.eventsource, ...changes } });
const row = (changes: object) => JSON.stringify({ ...whole, eventrow: { ...whole.eventrow, ...changes } });

test('every part of data is read', () => {
  const { columns, ...rest } = decodeJsonData(JSON.stringify(whole));
  assert.deepEqual(rest, {
    table: { db: 'shop', schema: 'dbo', name: 'Items' },
    key: [{ column: 'Id', value: '7' }],
    transaction: { commitlsn: '00000000:00000000:0003', sequencenumber: 1 },
    old: null,
    current: { Id: '7', Name: 'name 3' },
  });
  assert.deepEqual(
    columns.map(({ name, type }) => [name, type]),
    [
      ['Id', 'int'],
      ['Name', 'nvarchar(50)'],
    ],
  );
});

test('white space and unknown properties do not matter', () => {
  const extended = { ...whole, extra: 1, eventsource: { ...whole.eventsource, server: { a: [] } } };
  assert.deepEqual(decodeJsonData(JSON.stringify(extended, null, 4)), decodeJsonData(JSON.stringify(whole)));
});

test('a missing or null transaction is null', () => {
  assert.equal(decodeJsonData(source({ transaction: undefined })).transaction, null);
  assert.equal(decodeJsonData(source({ transaction: null })).transaction, null);
});

test('sequencenumber may be a number or text', () => {
  for (const sequencenumber of [12, '12']) {
    const { transaction } = decodeJsonData(
      source({ transaction: { commitlsn: '0000002C:00000300:017C', sequencenumber } }),
    );
    assert.deepEqual(transaction, { commitlsn: '0000002C:00000300:017C', sequencenumber });
  }
});

test('a table without a primary key has an empty key', () => {
  for (const pkkey of [undefined, null, []]) assert.deepEqual(decodeJsonData(source({ pkkey })).key, []);
});

test('images may be text, objects, null or missing', () => {
  for (const current of [
    { Id: '7', Name: null },
    '{"Id":"7","Name":null}',
    ' { "Id" : "7", "Name" : null } ',
  ]) {
    assert.deepEqual(decodeJsonData(row({ current })).current, { Id: '7', Name: null });
  }
  for (const old of [undefined, null, {}, '{}', '{ \n }', '']) {
    assert.equal(decodeJsonData(row({ old })).old, null, JSON.stringify(old));
  }
});

const digits = '{"Id":9223372036854775807,"Price":10.50,"Ok":true}';

for (const [what, images] of [
  ['image objects', `{"old":${digits},"current":${digits}}`],
  ['image text', JSON.stringify({ old: digits, current: digits })],
] as const) {
  test(`numbers as values of ${what} keep their digits`, () => {
    const text = JSON.stringify({ ...whole, eventrow: 0 }).replace('"eventrow":0', `"eventrow":${images}`);
    const kept = { Id: '9223372036854775807', Price: '10.50', Ok: '1' };
    assert.deepEqual(decodeJsonData(text).old, kept);
    assert.deepEqual(decodeJsonData(text).current, kept);
    assert.deepEqual(decodeJsonData(parseKeepingNumbers(text, 'data')).current, kept);
  });
}

test('numbers as key values keep their digits', () => {
  const text = source({ pkkey: [{ columnname: 'Id', value: 'HERE' }] }).replace(
    '"HERE"',
    '9223372036854775807',
  );
  assert.deepEqual(decodeJsonData(text).key, [{ column: 'Id', value: '9223372036854775807' }]);
  assert.deepEqual(decodeJsonData(text).transaction?.sequencenumber, '1');
});

for (const [what, text, code, message] of [
  ['no JSON', '{"eventsource":', 'invalid-json', /^data is not JSON/],
  ['an array', '[]', 'wrong-type', /^data is an array/],
  [
    'no eventsource',
    JSON.stringify({ ...whole, eventsource: undefined }),
    'missing-attribute',
    /^data has no eventsource$/,
  ],
  ['eventsource null', JSON.stringify({ ...whole, eventsource: null }), 'wrong-type', /^eventsource is null/],
  [
    'no eventrow',
    JSON.stringify({ ...whole, eventrow: undefined }),
    'missing-attribute',
    /^data has no eventrow$/,
  ],
  ['eventrow as text', JSON.stringify({ ...whole, eventrow: '{}' }), 'wrong-type', /^eventrow is a string/],
  ['no db', source({ db: undefined }), 'missing-attribute', /^eventsource has no db$/],
  ['schema null', source({ schema: null }), 'wrong-type', /^schema in eventsource is null/],
  ['tbl as a number', source({ tbl: 5 }), 'wrong-type', /^tbl in eventsource is a number/],
  ['no cols', source({ cols: undefined }), 'missing-attribute', /^eventsource has no cols$/],
  ['cols as an object', source({ cols: {} }), 'wrong-type', /^cols is a object, expected an array/],
  ['cols of text', source({ cols: ['a'] }), 'wrong-type', /^an element of cols is a string/],
  ['a column without a name', source({ cols: [{ type: 'int' }] }), 'missing-attribute', /^cols has no name$/],
  ['a column without a type', source({ cols: [{ name: 'a' }] }), 'missing-attribute', /^cols has no type$/],
  ['pkkey as an object', source({ pkkey: {} }), 'wrong-type', /^pkkey is a object, expected an array/],
  ['pkkey of text', source({ pkkey: ['a'] }), 'wrong-type', /^an element of pkkey is a string/],
  [
    'a key without a column',
    source({ pkkey: [{ value: '1' }] }),
    'missing-attribute',
    /^pkkey has no columnname$/,
  ],
  [
    'a key without a value',
    source({ pkkey: [{ columnname: 'a' }] }),
    'missing-attribute',
    /^pkkey "a" has no value$/,
  ],
  [
    'a key that is null',
    source({ pkkey: [{ columnname: 'a', value: null }] }),
    'no-key',
    /^key column "a" is null$/,
  ],
  [
    'a key that is an array',
    source({ pkkey: [{ columnname: 'a', value: [] }] }),
    'wrong-type',
    /^value in pkkey "a" is an array/,
  ],
  ['transaction as text', source({ transaction: 'x' }), 'wrong-type', /^transaction is a string/],
  [
    'no sequencenumber',
    source({ transaction: { commitlsn: 'x' } }),
    'missing-attribute',
    /^transaction has no sequencenumber$/,
  ],
  [
    'sequencenumber true',
    source({ transaction: { commitlsn: 'x', sequencenumber: true } }),
    'wrong-type',
    /^sequencenumber is a boolean/,
  ],
  [
    'no commitlsn',
    source({ transaction: { sequencenumber: 1 } }),
    'missing-attribute',
    /^transaction has no commitlsn$/,
  ],
  ['old that is no JSON', row({ old: '{' }), 'invalid-json', /^eventrow\.old is not JSON/],
  ['current that is a number', row({ current: 5 }), 'wrong-type', /^eventrow\.current is a number/],
  [
    'current with nested values',
    row({ current: '{"a":{}}' }),
    'wrong-type',
    /^"a" in eventrow\.current is a object/,
  ],
] satisfies [string, string, ReasonCode, RegExp][]) {
  test(`data with ${what} is ${code}`, () => assertDataError(() => decodeJsonData(text), code, message));
}
