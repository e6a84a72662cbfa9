import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionLines } from '../../../local/run/keepServers.ts';

const settings = {
  COSMOS_ENDPOINT: 'http://127.0.0.1:8081',
  COSMOS_KEY: 'key',
  COSMOS_DATABASE: 'replica',
  COSMOS_CONTAINER: 'rows',
  BLOB_CONNECTION_STRING: 'BlobEndpoint=http://127.0.0.1:10000/account;',
};

// Who asked for transactions to look at them was not told where they are.
test('the container of transactions is named where they are tracked', () => {
  const linesFor = (TRANSACTIONS: string) =>
    connectionLines({
      settings,
      environment: { TRANSACTIONS, COSMOS_TRANSACTIONS_CONTAINER: 'transactions' },
    });
  const line = '  COSMOS_TRANSACTIONS_CONTAINER=transactions';
  assert.equal(linesFor('on').indexOf(line), Object.keys(settings).length + 1);
  assert.ok(!linesFor('off').includes(line));
});
