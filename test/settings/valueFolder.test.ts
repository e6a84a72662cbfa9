import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../src/settings/readSettings.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { valueFolder } from '../../src/settings/valueFolder.ts';

const place = {
  endpoint: 'https://account.documents.azure.com:443/',
  database: 'replica',
  container: 'rows',
};

test('containers have folders of their own, whatever account and database they are in', () => {
  const places = [
    place,
    { ...place, endpoint: 'https://other.documents.azure.com:443/' },
    { ...place, database: 'other' },
    { ...place, container: 'other' },
  ];
  const folders = places.map((one) => valueFolder(one)());
  assert.equal(new Set(folders).size, places.length);
  for (const folder of folders) assert.match(folder, /^(rows|other)-[0-9a-f]{8}$/);
  assert.equal(valueFolder(place)('other'), valueFolder({ ...place, container: 'other' })());
});

test('an endpoint is the same account however it is written', () => {
  for (const endpoint of ['https://Account.documents.azure.com', 'https://account.documents.azure.com/'])
    assert.equal(valueFolder({ ...place, endpoint })(), valueFolder(place)());
});

test('the rules of a table name the folder of its container', () => {
  const examples = Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]);
  const REPLICA_CONFIG = JSON.stringify({ tables: { 'a.b.c': { container: 'other' } } });
  const { rules, cosmos } = readSettings({ ...Object.fromEntries(examples), REPLICA_CONFIG });
  const folderOf = valueFolder(cosmos);
  assert.equal(rules.of({ db: 'a', schema: 'b', name: 'c' }).valueFolder, folderOf('other'));
  assert.equal(rules.of({ db: 'a', schema: 'b', name: 'd' }).valueFolder, folderOf());
  assert.deepEqual(rules.valueFolders, [
    { container: undefined, folder: folderOf() },
    { container: 'other', folder: folderOf('other') },
  ]);
});
