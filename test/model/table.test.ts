import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableText } from '../../src/model/table.ts';

test('a table is written as database, schema and name', () => {
  assert.equal(tableText({ db: 'Shop', schema: 'dbo', name: 'Order Items' }), 'Shop.dbo.Order Items');
});
