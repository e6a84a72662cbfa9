import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServices } from '../src/createServices.ts';
import { ConfigurationError } from '../src/errors/configurationError.ts';
import { readSettings } from '../src/settings/readSettings.ts';
import { settingsCatalogue } from '../src/settings/settingsCatalogue.ts';

const examples = Object.fromEntries(
  Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]),
);

test('a connection string that is none is a complaint about its setting, without its value', () => {
  const settings = readSettings({ ...examples, BLOB_CONNECTION_STRING: 'AccountKey=c2VjcmV0' });
  assert.throws(
    () => createServices(settings),
    (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /^BLOB_CONNECTION_STRING is not a connection string: put there /);
      assert.doesNotMatch(error.message, /c2VjcmV0/);
      return true;
    },
  );
});

test('an identity is the default for both services', () => {
  const identity = { COSMOS_KEY: '', BLOB_CONNECTION_STRING: '', BLOB_ENDPOINT: 'https://a.blob.example' };
  assert.doesNotThrow(() => createServices(readSettings({ ...examples, ...identity })));
});

test('rows are looked for only to be numbered, and in each container once', () => {
  const finderOf = (TRANSACTIONS: string) => {
    const table = (container: string) => ({ container });
    const REPLICA_CONFIG = JSON.stringify({ tables: { 'a.b.c': table('other'), 'a.b.d': table('rows') } });
    return createServices(readSettings({ ...examples, TRANSACTIONS, REPLICA_CONFIG })).finder;
  };
  assert.deepEqual(finderOf('on-with-order')?.containers, [undefined, 'other']);
  assert.equal(finderOf('on'), undefined);
});
