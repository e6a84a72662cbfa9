import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataCollectionOrder } from '../../src/reader.ts';

const ended = {
  data_collections: [
    { data_collection: 'shop.dbo.Items', event_count: 3, total_orders: '1,4-5' },
    { data_collection: 'shop.dbo.Lines', event_count: 2, total_orders: '2-3' },
    { data_collection: 'shop.dbo.Orders', event_count: 1 },
  ],
};

test('the place of a change is that of its number among those of its table', () => {
  const placesOf = (table: string) =>
    [1, 2, 3, 4, 5, 6].map((number) => dataCollectionOrder(ended, table, number));
  const none = undefined;
  assert.deepEqual(placesOf('shop.dbo.Items'), [1, none, none, 2, 3, none]);
  assert.deepEqual(placesOf('shop.dbo.Lines'), [none, 1, 2, none, none, none]);
});

test('what the item does not tell is unknown: a table, its numbers, a transaction that goes on or has gone', () => {
  assert.equal(dataCollectionOrder(ended, 'shop.dbo.Other', 1), undefined);
  assert.equal(dataCollectionOrder(ended, 'shop.dbo.Orders', 1), undefined);
  assert.equal(dataCollectionOrder({ data_collections: null }, 'shop.dbo.Items', 1), undefined);
  assert.equal(dataCollectionOrder(undefined, 'shop.dbo.Items', 1), undefined);
});
