import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithOracle } from '../../../local/run/compareWithOracle.ts';
import type { StoredItem } from '../../../local/run/storedItem.ts';
import type { OracleTable } from '../../../local/simulation/oracle.ts';

const table: OracleTable = {
  db: 'Shop',
  schema: 'dbo',
  name: 'Orders',
  keyColumns: ['order_id'],
  columns: [
    { name: 'order_id', sqlType: 'bigint' },
    { name: '__proto__', sqlType: 'int' },
  ],
  rows: [
    { key: ['1'], values: JSON.parse('{"order_id":"1","__proto__":5}') },
    { key: ['2'], values: JSON.parse('{"order_id":"2","__proto__":null}') },
  ],
  deletedKeys: [['3']],
};

function item(orderId: string, rest: object): StoredItem {
  const id = `Shop.dbo.Orders:${orderId}`;
  return { id, pkkey: id, db: 'Shop', schema: 'dbo', table: 'Orders', key: { order_id: orderId }, ...rest };
}

const first = item('1', { row: JSON.parse('{"__proto__":5,"order_id":"1"}') });
const second = item('2', { row: JSON.parse('{"order_id":"2","__proto__":null}') });
const gone = item('3', { deleted: true, ttl: 691_200 });

function differences(...items: readonly StoredItem[]): readonly string[] {
  return compareWithOracle([table], items).differences;
}

test('a replica that is equal has no differences', () => {
  assert.deepEqual(compareWithOracle([table], [gone, second, first]), {
    equalRows: 2,
    equalTombstones: 1,
    differenceCount: 0,
    differences: [],
  });
});

test('a wrong order is found where it is asked for, and of a deleted row, too', () => {
  const orders = new Map([1, 2, 3].map((id) => [JSON.stringify([String(id)]), id]));
  const told = (found: StoredItem, data_collection_order: unknown): StoredItem => ({
    ...found,
    _ces: { transaction: { data_collection_order } },
  });
  const found = (...items: readonly StoredItem[]) =>
    compareWithOracle([{ ...table, orders }], items, true).differences;
  assert.deepEqual(found(told(first, 1), told(second, 2), told(gone, 3)), []);
  assert.deepEqual(found(told(first, 1), told(second, 1), gone), [
    'Shop.dbo.Orders:2: data_collection_order is 1, not 2',
    'Shop.dbo.Orders:3: data_collection_order is undefined, not 3',
  ]);
});

test('a missing row and a missing tombstone are found', () => {
  assert.deepEqual(differences(second), [
    'Shop.dbo.Orders:1: the row is missing',
    'Shop.dbo.Orders:3: the tombstone is missing',
  ]);
});

test('a wrong value is found, also when only its type is wrong, and a column too few or too many', () => {
  const row = (text: string) => ({ ...second, row: JSON.parse(text) });
  const found = (text: string) => differences(first, row(text), gone);
  assert.deepEqual(found('{"order_id":"2","__proto__":0}'), [
    'Shop.dbo.Orders:2: column "__proto__" is 0, not null',
  ]);
  assert.deepEqual(found('{"order_id":2,"__proto__":null}'), [
    'Shop.dbo.Orders:2: column "order_id" is 2, not "2"',
  ]);
  assert.deepEqual(found('{"order_id":"2"}'), ['Shop.dbo.Orders:2: column "__proto__" is missing, not null']);
  assert.deepEqual(found('{"order_id":"2","__proto__":null,"x":1}'), [
    'Shop.dbo.Orders:2: column "x" is too much',
  ]);
});

test('a wrong key or table is found', () => {
  assert.deepEqual(differences({ ...first, key: { order_id: 1 } }, { ...second, schema: 'x' }, gone), [
    'Shop.dbo.Orders:1: key column "order_id" is 1, not "1"',
    'Shop.dbo.Orders:2: property "schema" is "x", not "dbo"',
  ]);
});

test('a deleted row that survives, and a live row that is deleted, are found', () => {
  const survivor = item('3', { row: { order_id: '3' } });
  assert.deepEqual(differences(first, second, survivor), [
    'Shop.dbo.Orders:3: the row is live, but the source deleted it',
  ]);
  assert.deepEqual(differences(first, item('2', { deleted: true, ttl: 1 }), gone), [
    'Shop.dbo.Orders:2: the row is deleted, but the source has it',
  ]);
});

test('a tombstone without ttl or with a row is found', () => {
  assert.deepEqual(differences(first, second, item('3', { deleted: true, row: {} })), [
    'Shop.dbo.Orders:3: a tombstone has a row',
    'Shop.dbo.Orders:3: a tombstone has no ttl',
  ]);
});

test('an extra item is found', () => {
  assert.deepEqual(differences(first, second, gone, item('4', { row: {} })), [
    'Shop.dbo.Orders:4: the source never had this row',
  ]);
});

test('all differences are counted and the first ten are kept', () => {
  const extra = Array.from({ length: 25 }, (_, index) => item(String(index + 10), { row: {} }));
  const found = compareWithOracle([table], [first, second, gone, ...extra]);
  assert.equal(found.differenceCount, 25);
  assert.equal(found.differences.length, 10);
});
