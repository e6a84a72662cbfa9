import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readOpsSettings } from '../../../local/ops/readOpsSettings.ts';
import { UserError } from '../../../local/run/userError.ts';
import { temporaryFolder } from '../input/temporaryFolder.ts';

const example = await readFile(new URL('../../../local.settings.json.example', import.meta.url), 'utf8');

test('settings come from the file, and environment variables go before it', async (t) => {
  const folder = await temporaryFolder(t, { 'a.json': `\uFEFF${example}` });
  const settings = await readOpsSettings(`${folder}/a.json`, { COSMOS_DATABASE: 'other' });
  assert.equal(settings.cosmos.endpoint, 'http://127.0.0.1:8081');
  assert.equal(settings.cosmos.database, 'other');
});

test('environment variables are enough', async () => {
  const settings = await readOpsSettings(undefined, JSON.parse(example).Values);
  assert.equal(settings.cosmos.container, 'rows');
});

test('a file that cannot be used is told in one line', async (t) => {
  const folder = await temporaryFolder(t, {
    'text.json': 'x',
    'text-list.json': '["x"]',
    'object.json': '{}',
    'values.json': '{"Values":"x"}',
    'secret.json': '{"IsEncrypted":true,"Values":{}}',
  });
  for (const [name, message] of [
    ['none.json', /none\.json cannot be read \(ENOENT\); give a file/],
    ['text.json', /text\.json is not JSON; see local\.settings\.json\.example/],
    ['text-list.json', /text-list\.json is a list, but not one of app settings/],
    ['object.json', /object\.json has no object "Values"/],
    ['values.json', /values\.json has no object "Values"/],
    ['secret.json', /secret\.json is encrypted; func settings decrypt/],
  ] as const) {
    await assert.rejects(readOpsSettings(`${folder}/${name}`, {}), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, message);
      return true;
    });
  }
});

/** What `az functionapp config appsettings list` prints of an app that the templates have deployed. */
const deployed = {
  EVENT_HUB_NAME: 'ces',
  EVENT_HUB_CONSUMER_GROUP: 'replica',
  EventHub__fullyQualifiedNamespace: 'namespace.servicebus.example',
  COSMOS_ENDPOINT: 'https://account.documents.example:443/',
  BLOB_ENDPOINT: 'https://data.blob.example/',
  AZURE_CLIENT_ID: '33333333-3333-3333-3333-333333333333',
  REPLICA_EPOCH: '3',
  TOMBSTONE_DAYS: '30',
};

function listed(values: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(values).map(([name, value]) => ({ name, slotSetting: false, value })));
}

test('the settings that az lists of an app are taken, but for the identity that only the app has', async (t) => {
  const folder = await temporaryFolder(t, { 'app.json': listed(deployed) });
  const settings = await readOpsSettings(`${folder}/app.json`, {}, true);
  assert.deepEqual(settings.blob, { kind: 'identity', endpoint: deployed.BLOB_ENDPOINT });
  assert.equal(settings.clientId, undefined);
  assert.equal(settings.tombstoneSeconds, 30 * 24 * 60 * 60);
  assert.equal(settings.rules.epochs, '3');
});

test('a secret that az lists as a reference to Key Vault is not taken for the secret, and can be given', async (t) => {
  const reference = '@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/salt)';
  const folder = await temporaryFolder(t, { 'app.json': listed({ ...deployed, MASK_SALT: reference }) });
  await assert.rejects(
    readOpsSettings(`${folder}/app.json`, {}),
    /MASK_SALT is a Key Vault reference that was not resolved/,
  );
  await readOpsSettings(`${folder}/app.json`, { MASK_SALT: '0123456789abcdef' });
});

// A replay by the wrong ones brings deleted rows back, or removes letters whose changes end as superseded.
test('settings for this machine are not mixed with those of a deployed app', async (t) => {
  const { BLOB_CONNECTION_STRING, COSMOS_KEY, ...rest } = JSON.parse(example).Values;
  const mixed = { ...rest, ...deployed };
  const files = {
    'blob.json': JSON.stringify({ Values: { ...mixed, BLOB_CONNECTION_STRING } }),
    'cosmos.json': JSON.stringify({ Values: { ...mixed, COSMOS_KEY } }),
    'local.settings.json': JSON.stringify({ Values: mixed }),
  };
  const folder = await temporaryFolder(t, files);
  const cwd = process.cwd();
  t.after(() => process.chdir(cwd));
  process.chdir(folder);
  await assert.rejects(readOpsSettings('blob.json', {}), /BLOB_CONNECTION_STRING are both set/);
  await assert.rejects(readOpsSettings('cosmos.json', {}), /COSMOS_KEY is the one of the local servers/);
  await assert.rejects(readOpsSettings(undefined, {}, true), /az functionapp config appsettings list/);
  // Reading changes nothing, and a file that was asked for is meant.
  await readOpsSettings(undefined, {});
  await readOpsSettings('local.settings.json', {}, true);
});
