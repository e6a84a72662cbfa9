import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../src/ces/readMessage.ts';
import { caseFile, caseNames } from '../support/caseFile.ts';
import { changeOf } from '../support/readBody.ts';

const purchaseColumns = [
  { name: 'purchase_id', type: 'int' },
  { name: 'customer_name', type: 'varchar(100)' },
  { name: 'product_id', type: 'int' },
  { name: 'product_name', type: 'varchar(100)' },
  { name: 'price_per_item', type: 'int' },
  { name: 'quantity', type: 'int' },
  { name: 'purchase_date', type: 'datetime' },
  { name: 'payment_method', type: 'varchar(50)' },
];
const employeeColumns = [
  { name: 'Id', type: 'int' },
  { name: 'FirstName', type: 'nvarchar(50)' },
  { name: 'LastName', type: 'nvarchar(50)' },
  { name: 'SignupDate', type: 'datetime2(7)' },
];
const purchases = { db: 'db1', schema: 'dbo', name: 'Purchases' };
const employees = { db: 'EmployeesDb', schema: 'dbo', name: 'Employees' };

/** What every published message says, copied from it by hand. */
const expected = {
  'split-generation-insert.json': {
    streamGroup: '9c8d4ad2-bf54-4f10-a96f-038af496997f',
    lsn: '0000002C00000300017C',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'INS',
    time: '2025-03-14T16:45:20.650Z',
    table: purchases,
    columns: purchaseColumns,
    key: [{ column: 'purchase_id', value: '105' }],
    old: null,
    current: {
      purchase_id: '105',
      customer_name: 'Anna Doe',
      product_id: '101',
      product_name: 'Game 2077',
      price_per_item: '60',
      quantity: '1',
      purchase_date: '2025-03-14 16:45:01.000',
      payment_method: 'Credit Card',
    },
  },
  'split-generation-update.json': {
    streamGroup: '9c8d4ad2-bf54-4f10-a96f-038af496997f',
    lsn: '0000002C000003500004',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'UPD',
    time: '2025-03-14T16:49:59.567Z',
    table: purchases,
    columns: purchaseColumns,
    key: [{ column: 'purchase_id', value: '105' }],
    old: null,
    current: {
      purchase_id: '105',
      customer_name: 'Anna Doe',
      product_id: '100',
      product_name: 'Game 2066',
      price_per_item: '50',
      quantity: '2',
      purchase_date: '2025-03-14 16:45:01.000',
      payment_method: 'Credit Card',
    },
  },
  'split-generation-delete.json': {
    streamGroup: '9c8d4ad2-bf54-4f10-a96f-038af496997f',
    lsn: '0000002C000003600019',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'DEL',
    time: '2025-03-14T16:51:39.613Z',
    table: purchases,
    columns: purchaseColumns,
    key: [{ column: 'purchase_id', value: '105' }],
    old: {
      purchase_id: '105',
      customer_name: 'Anna Doe',
      product_id: '100',
      product_name: 'Game 2066',
      price_per_item: '50',
      quantity: '2',
      purchase_date: '2025-03-14 16:45:01.000',
      payment_method: 'Credit Card',
    },
    current: null,
  },
  'segment-generation-insert.json': {
    streamGroup: '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0',
    lsn: '000000B1000008A80007',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'INS',
    time: '2026-08-07T16:25:00.890Z',
    table: employees,
    columns: employeeColumns,
    key: [{ column: 'Id', value: '8' }],
    old: null,
    current: {
      Id: '8',
      FirstName: 'Nikola',
      LastName: 'Nikolic',
      SignupDate: '2026-08-07 16:25:00.8833333',
    },
  },
  'segment-generation-update.json': {
    streamGroup: '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0',
    lsn: '000000B1000009300009',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'UPD',
    time: '2026-08-07T16:30:10.123Z',
    table: employees,
    columns: employeeColumns,
    key: [{ column: 'Id', value: '8' }],
    old: {
      Id: '8',
      FirstName: 'Nikola',
      LastName: 'Nikolic',
      SignupDate: '2026-08-07 16:25:00.8833333',
    },
    current: {
      Id: '8',
      FirstName: 'Nikola',
      LastName: 'Nikolic-Smith',
      SignupDate: '2026-08-07 16:25:00.8833333',
    },
  },
  'segment-generation-delete.json': {
    streamGroup: '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0',
    lsn: '000000B1000009700008',
    sequence: '00000000000000000001',
    index: 0,
    operation: 'DEL',
    time: '2026-08-07T16:35:42.450Z',
    table: employees,
    columns: employeeColumns,
    key: [{ column: 'Id', value: '8' }],
    old: {
      Id: '8',
      FirstName: 'Nikola',
      LastName: 'Nikolic-Smith',
      SignupDate: '2026-08-07 16:25:00.8833333',
    },
    current: null,
  },
  'changed-columns-only-base1.json': {
    streamGroup: '8376457a-17af-49f4-b9ea-0d5071f515f4',
    lsn: '0000002C000007300011',
    sequence: '00000000000000000002',
    index: 1,
    operation: 'INS',
    time: '2025-11-03T12:29:46.290Z',
    table: { db: 'WpcDemo', schema: 'dbo', name: 'Product' },
    columns: [
      { name: 'ProductId', type: 'int' },
      { name: 'ItemsInStock', type: 'smallint' },
    ],
    key: [{ column: 'ProductId', value: '2' }],
    old: { ProductId: '2', ItemsInStock: '8' },
    current: { ProductId: '2', ItemsInStock: '7' },
  },
} as const;

for (const name of caseNames) {
  const { streamGroup, lsn, sequence, index, operation, time, ...change } = expected[name];
  const position = { streamGroup, lsn, sequence, text: `${streamGroup}:${lsn}:${sequence}` };

  test(`${name} is read as a segment`, () => {
    const body = caseFile(name);
    assert.deepEqual(readMessage(body), {
      logicalId: position,
      operation,
      time,
      index,
      final: true,
      encoding: 'json',
      payload: { kind: 'text', text: JSON.parse(body.toString('utf8')).data },
    });
  });

  test(`${name} is decoded as a change`, () => {
    const decoded = changeOf(caseFile(name));
    // Columns may carry more than is asked of them.
    const columns = decoded.columns.map(({ name: column, type }) => ({ name: column, type }));
    assert.deepEqual({ ...decoded, columns }, { ...change, position, operation, time });
  });
}
