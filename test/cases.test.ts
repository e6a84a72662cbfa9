import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../src/replica/fold.ts';
import { type ReplicaItem, toReplicaItem } from '../src/replica/replicaItem.ts';
import { rowChanges } from '../src/replica/rowChanges.ts';
import { caseFile, caseNames } from './support/caseFile.ts';
import { changeOf } from './support/readBody.ts';
import { rulesFor } from './support/rulesFor.ts';

/** Eight days. */
const TOMBSTONE_SECONDS = 691_200;

const purchase = {
  id: 'db1.dbo.Purchases:105',
  pkkey: 'db1.dbo.Purchases:105',
  db: 'db1',
  schema: 'dbo',
  table: 'Purchases',
  key: { purchase_id: 105 },
};
const employee = {
  id: 'EmployeesDb.dbo.Employees:8',
  pkkey: 'EmployeesDb.dbo.Employees:8',
  db: 'EmployeesDb',
  schema: 'dbo',
  table: 'Employees',
  key: { Id: 8 },
};

/** The replica item that every published message makes when it is the only one, written by hand. */
const expected = {
  'split-generation-insert.json': {
    ...purchase,
    row: {
      purchase_id: 105,
      customer_name: 'Anna Doe',
      product_id: 101,
      product_name: 'Game 2077',
      price_per_item: 60,
      quantity: 1,
      purchase_date: '2025-03-14T16:45:01.000',
      payment_method: 'Credit Card',
    },
    _ces: {
      version: '0000:0000002C00000300017C:00000000000000000001',
      image: '0000:0000002C00000300017C:00000000000000000001',
      operation: 'INS',
      time: '2025-03-14T16:45:20.650Z',
      transaction: { id: '0000002c:00000300:017c', total_order: 1 },
    },
  },
  'split-generation-update.json': {
    ...purchase,
    row: {
      purchase_id: 105,
      customer_name: 'Anna Doe',
      product_id: 100,
      product_name: 'Game 2066',
      price_per_item: 50,
      quantity: 2,
      purchase_date: '2025-03-14T16:45:01.000',
      payment_method: 'Credit Card',
    },
    _ces: {
      version: '0000:0000002C000003500004:00000000000000000001',
      others: '0000:0000002C000003500004:00000000000000000001',
      operation: 'UPD',
      time: '2025-03-14T16:49:59.567Z',
      transaction: { id: '0000002c:00000350:0004', total_order: 1 },
    },
  },
  'split-generation-delete.json': {
    ...purchase,
    deleted: true,
    ttl: 691_200,
    _ces: {
      version: '0000:0000002C000003600019:00000000000000000001',
      image: '0000:0000002C000003600019:00000000000000000001',
      operation: 'DEL',
      time: '2025-03-14T16:51:39.613Z',
      transaction: { id: '0000002c:00000360:0019', total_order: 1 },
    },
  },
  'segment-generation-insert.json': {
    ...employee,
    row: { Id: 8, FirstName: 'Nikola', LastName: 'Nikolic', SignupDate: '2026-08-07T16:25:00.8833333' },
    _ces: {
      version: '0000:000000B1000008A80007:00000000000000000001',
      image: '0000:000000B1000008A80007:00000000000000000001',
      operation: 'INS',
      time: '2026-08-07T16:25:00.890Z',
      transaction: { id: '000000b1:000008a8:0007', total_order: 1 },
    },
  },
  'segment-generation-update.json': {
    ...employee,
    row: { Id: 8, FirstName: 'Nikola', LastName: 'Nikolic-Smith', SignupDate: '2026-08-07T16:25:00.8833333' },
    _ces: {
      version: '0000:000000B1000009300009:00000000000000000001',
      others: '0000:000000B1000009300009:00000000000000000001',
      operation: 'UPD',
      time: '2026-08-07T16:30:10.123Z',
      transaction: { id: '000000b1:00000930:0009', total_order: 1 },
    },
  },
  'segment-generation-delete.json': {
    ...employee,
    deleted: true,
    ttl: 691_200,
    _ces: {
      version: '0000:000000B1000009700008:00000000000000000001',
      image: '0000:000000B1000009700008:00000000000000000001',
      operation: 'DEL',
      time: '2026-08-07T16:35:42.450Z',
      transaction: { id: '000000b1:00000970:0008', total_order: 1 },
    },
  },
  // Announced as INS, but it has old values and only the changed columns: an update.
  'changed-columns-only-base1.json': {
    id: 'WpcDemo.dbo.Product:2',
    pkkey: 'WpcDemo.dbo.Product:2',
    db: 'WpcDemo',
    schema: 'dbo',
    table: 'Product',
    key: { ProductId: 2 },
    row: { ProductId: 2, ItemsInStock: 7 },
    _ces: {
      version: '0000:0000002C000007300011:00000000000000000002',
      others: '0000:0000002C000007300011:00000000000000000002',
      operation: 'UPD',
      time: '2025-11-03T12:29:46.290Z',
      transaction: { id: '0000002c:00000730:0011', total_order: 2 },
    },
  },
} as const;

for (const name of caseNames) {
  test(`${name} makes its replica item`, () => assert.deepEqual(itemOf([name]), expected[name]));
}

test('an insert and its update make one row, whose image is the insert', () => {
  const item = {
    ...expected['segment-generation-update.json'],
    _ces: {
      version: '0000:000000B1000009300009:00000000000000000001',
      image: '0000:000000B1000008A80007:00000000000000000001',
      others: '0000:000000B1000009300009:00000000000000000001',
      operation: 'UPD',
      time: '2026-08-07T16:30:10.123Z',
      transaction: { id: '000000b1:00000930:0009', total_order: 1 },
    },
  };
  assert.deepEqual(itemOf(['segment-generation-insert.json', 'segment-generation-update.json']), item);
  assert.deepEqual(itemOf(['segment-generation-update.json', 'segment-generation-insert.json']), item);
});

for (const generation of ['split', 'segment'] as const) {
  test(`insert, update and delete of the ${generation} generation make the tombstone in any order`, () => {
    const [insert, update, remove] = [
      `${generation}-generation-insert.json`,
      `${generation}-generation-update.json`,
      `${generation}-generation-delete.json`,
    ] as const;
    for (const order of [
      [insert, update, remove],
      [insert, remove, update],
      [update, insert, remove],
      [update, remove, insert],
      [remove, insert, update],
      [remove, update, insert],
    ]) {
      assert.deepEqual(itemOf(order), expected[remove], order.join(', '));
    }
  });
}

/** The item of the one row that the messages are about. */
function itemOf(names: readonly (typeof caseNames)[number][]): ReplicaItem {
  const changes = names.map((name) => changeOf(caseFile(name)));
  const table = changes[0]?.table;
  assert.ok(table !== undefined);
  const rows = changes.flatMap((change) => rowChanges(change, rulesFor(table)).rows);
  const [first] = rows;
  assert.ok(first !== undefined && rows.every(({ id }) => id === first.id));
  const { state } = fold(
    null,
    rows.map((row) => row.state),
  );
  return toReplicaItem(first.id, table, state, TOMBSTONE_SECONDS);
}
