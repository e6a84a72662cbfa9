import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { type SettingName, settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import {
  compile,
  compileText,
  field,
  INFRA,
  infraText,
  type Snapshot,
  snapshotOf,
  withoutBicep,
} from '../support/bicep.ts';
import { all, appSettings, deploymentOf, fields, filledIn, one, testDeployments } from './deployments.ts';

const root = join(INFRA, '..');

/** What the Functions host reads of the settings, and the app does not. */
const HOST_SETTINGS = [
  'AzureWebJobsStorage__accountName',
  'AzureWebJobsStorage__clientId',
  'AzureWebJobsStorage__credential',
  'EventHub__clientId',
  'EventHub__credential',
];

testDeployments('the settings are those that the app and the host read, and no secrets', (deployment) => {
  const ofApp = Object.entries(settingsCatalogue).filter(([, setting]) => !('secret' in setting));
  const expected = [...ofApp.map(([name]) => name), ...HOST_SETTINGS];
  assert.deepEqual([...appSettings(deployment).keys()].sort(), expected.sort());
});

testDeployments('the app accepts the settings', (deployment) => {
  const settings = readSettings(environmentOf(deployment));
  assert.equal(settings.cosmos.key, undefined);
  assert.deepEqual(settings.blob.kind, 'identity');
  assert.ok(settings.telemetry?.identity !== undefined);
});

/** The settings with something plausible for what only Azure knows. */
function environmentOf(deployment: Snapshot): Record<string, string> {
  const known: Partial<Record<SettingName, string>> = {
    AZURE_CLIENT_ID: '33333333-3333-3333-3333-333333333333',
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING:
      'ClientId=33333333-3333-3333-3333-333333333333;Authorization=AAD',
    APPLICATIONINSIGHTS_CONNECTION_STRING: 'InstrumentationKey=44444444-4444-4444-4444-444444444444',
    BLOB_ENDPOINT: 'https://data.blob.example/',
    COSMOS_ENDPOINT: 'https://account.documents.example:443/',
    EventHub__fullyQualifiedNamespace: 'namespace.servicebus.example',
  };
  const settings = [...appSettings(deployment)].map(([name, value]): [string, string] => [
    name,
    value.startsWith('[') ? (known[name as SettingName] ?? '') : value,
  ]);
  return Object.fromEntries(settings);
}

testDeployments('the app connects to what is deployed, with its identity', (deployment) => {
  const settings = appSettings(deployment);
  const idOf = (type: string, part = ''): string =>
    all(deployment, type).find(({ name }) => name.includes(part))?.id ?? assert.fail(type);
  const sources: readonly [SettingName, string, string][] = [
    ['EventHub__fullyQualifiedNamespace', idOf('Microsoft.EventHub/namespaces'), '.serviceBusEndpoint'],
    ['COSMOS_ENDPOINT', idOf('Microsoft.DocumentDB/databaseAccounts'), '.documentEndpoint'],
    ['BLOB_ENDPOINT', idOf('Microsoft.Storage/storageAccounts', 'data'), '.primaryEndpoints.blob'],
    ['APPLICATIONINSIGHTS_CONNECTION_STRING', idOf('Microsoft.Insights/components'), '.ConnectionString'],
  ];
  for (const [name, id, property] of sources) {
    const value = String(settings.get(name));
    assert.ok(value.includes(`'${id}'`) && value.includes(property), `${name}: ${value}`);
  }
  const identity = one(deployment, 'Microsoft.ManagedIdentity/userAssignedIdentities');
  for (const name of ['AZURE_CLIENT_ID', 'AzureWebJobsStorage__clientId', 'EventHub__clientId'])
    assert.match(String(settings.get(name)), /userAssignedIdentities.*clientId/, name);
  for (const name of ['AzureWebJobsStorage__credential', 'EventHub__credential'])
    assert.equal(settings.get(name), 'managedidentity', name);
  const host = all(deployment, 'Microsoft.Storage/storageAccounts').find(({ name }) => name.includes('host'));
  assert.equal(settings.get('AzureWebJobsStorage__accountName'), host?.name);
  const app = one(deployment, 'Microsoft.Web/sites');
  assert.deepEqual(field(app, 'identity'), {
    type: 'UserAssigned',
    userAssignedIdentities: { [identity.id]: {} },
  });
  const storage = 'properties.functionAppConfig.deployment.storage';
  assert.match(String(field(app, `${storage}.value`)), new RegExp(`'${host?.id}'.*'deployment'`));
  assert.deepEqual(field(app, `${storage}.authentication`), {
    type: 'UserAssignedIdentity',
    userAssignedIdentityResourceId: identity.id,
  });
});

const MASKED = `parkedHours: 6
  config: {
    tables: {
      'shop.dbo.Customers': { container: 'customers', columns: { mask: { email: 'hash' } } }
      'shop.dbo.Orders*': { container: 'orders' }
      'shop.dbo.OrderLines': { container: 'orders' }
      'shop.dbo.Rest': { container: 'rows' }
    }
  }`;

const SALT_URI = 'https://vault.example/secrets/mask-salt';

test('the app reads the salt of masks from a key vault, with its identity', {
  skip: withoutBicep(),
}, async () => {
  const text = infraText('dev.bicepparam').replace('parkedHours: 6', MASKED);
  const deployment = await snapshotOf(`${text}\nparam maskSaltUri = '${SALT_URI}'\n`);
  assert.equal(appSettings(deployment).get('MASK_SALT'), `@Microsoft.KeyVault(SecretUri=${SALT_URI})`);
  const app = one(deployment, 'Microsoft.Web/sites');
  const identity = one(deployment, 'Microsoft.ManagedIdentity/userAssignedIdentities');
  assert.equal(field(app, 'properties.keyVaultReferenceIdentity'), identity.id);
  // As long as Azure cannot resolve it, the app does not take the reference for the salt.
  const settings = environmentOf(deployment);
  assert.throws(() => readSettings(settings), /MASK_SALT is a Key Vault reference/);
  assert.equal(readSettings({ ...settings, MASK_SALT: '0123456789abcdef' }).rules.masks, true);
});

test('every container that the configuration names is made, like that of the others', {
  skip: withoutBicep(),
}, async () => {
  const text = filledIn('production.bicepparam').replace('parkedHours: 48', MASKED);
  const deployment = await snapshotOf(`${text}\nparam maskSaltUri = '${SALT_URI}'\n`);
  const containers = all(deployment, 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers');
  const { rules, cosmos } = readSettings({
    ...environmentOf(deployment),
    MASK_SALT: '0123456789abcdef',
  });
  assert.deepEqual(
    containers.map(({ name }) => name.split('/').at(-1)).sort(),
    [...new Set([cosmos.container, ...rules.containers])].sort(),
  );
  const [first, ...others] = containers.map(({ properties }) => {
    const { id, ...resource } = Object(field(properties, 'resource'));
    return { ...Object(properties), resource };
  });
  assert.equal(others.length, 2);
  for (const other of others) assert.deepEqual(other, first);
});

testDeployments('the app runs on Flex Consumption with Node 24 and is found by azd', (deployment) => {
  assert.deepEqual(field(one(deployment, 'Microsoft.Web/serverfarms'), 'sku'), {
    name: 'FC1',
    tier: 'FlexConsumption',
  });
  const app = one(deployment, 'Microsoft.Web/sites');
  assert.deepEqual(fields(app, 'properties.functionAppConfig.runtime', 'properties.httpsOnly'), {
    'properties.functionAppConfig.runtime': { name: 'node', version: '24' },
    'properties.httpsOnly': true,
  });
  assert.equal(field(app, 'tags.azd-service-name'), 'replica');
  assert.equal(deployment.outputs['functionAppName'], app.name);
});

testDeployments('no more instances than partitions', (deployment) => {
  const app = one(deployment, 'Microsoft.Web/sites');
  const most = field(app, 'properties.functionAppConfig.scaleAndConcurrency.maximumInstanceCount');
  const hub = one(deployment, 'Microsoft.EventHub/namespaces/eventhubs');
  assert.ok(Number(most) >= 1 && Number(most) <= Number(field(hub, 'properties.partitionCount')));
});

test('functions that are always ready exist', { skip: withoutBicep() }, async () => {
  const production = await deploymentOf('production.bicepparam');
  const host = await FunctionsHost.load({
    bundle: join(root, 'dist', 'index.cjs'),
    environment: { ...environmentOf(production), APPLICATIONINSIGHTS_CONNECTION_STRING: '' },
  });
  const functions = host.functions.map(({ name }) => name).sort();
  await host.dispose();
  // What can be written at all: the properties of the type.
  const { template } = await compile('main.bicep');
  assert.deepEqual(Object.keys(Object(definition(template, 'alwaysReady'))).sort(), functions);
  const ready = field(
    one(production, 'Microsoft.Web/sites'),
    'properties.functionAppConfig.scaleAndConcurrency.alwaysReady',
  );
  assert.deepEqual(ready, [{ name: 'function:replicate', instanceCount: 1 }]);
});

test('a batch ends well before the function does', { skip: withoutBicep() }, async () => {
  const { functionTimeout } = JSON.parse(readFileSync(join(root, 'host.json'), 'utf8'));
  const [hours, minutes, seconds] = functionTimeout.split(':').map(Number);
  const { template } = await compile('main.bicep');
  const most = Number(field(definition(template, 'replicaOptions'), 'batchDeadlineSeconds.maxValue'));
  assert.ok(most + 60 <= (hours * 60 + minutes) * 60 + seconds, `${most} seconds in ${functionTimeout}`);
});

/** Properties of a type that the templates use. */
function definition(template: unknown, type: string): unknown {
  const definitions = Object.entries(Object(field(template, 'definitions')));
  const found = definitions.find(([name]) => name === type || name.endsWith(`.${type}`));
  return field(found?.[1], 'properties');
}

test('the app comes after its rights and its private endpoints', { skip: withoutBicep() }, async () => {
  const { template } = await compile('main.bicep');
  const resources = Object.entries(Object(field(template, 'resources')));
  const withRights = resources
    .filter(([name, resource]) => name !== 'functionApp' && /roleAssignments/i.test(JSON.stringify(resource)))
    .map(([name]) => name);
  assert.deepEqual(withRights.sort(), ['dataStorage', 'database', 'hostStorage', 'hub', 'monitoring']);
  const dependencies = field(template, 'resources.functionApp.dependsOn');
  assert.ok(Array.isArray(dependencies));
  for (const name of [...withRights, 'privateEndpoints']) assert.ok(dependencies.includes(name), name);
});

test('a template cannot set what nothing reads, a secret, or too little', {
  skip: withoutBicep(),
}, async () => {
  const main = infraText('main.bicep');
  const wrong = async (from: string, to: string): Promise<string> => {
    assert.ok(main.includes(from), `main.bicep no longer has ${from}`);
    return (await compileText(main.replace(from, to), 'bicep')).diagnostics;
  };
  const renamed = await wrong('COSMOS_ENDPOINT:', 'COSMOS_URL:');
  assert.match(renamed, /"COSMOS_URL" is not allowed/);
  assert.match(await wrong('BLOB_ENDPOINT:', 'BLOB_CONNECTION_STRING:'), /BLOB_CONNECTION_STRING/);
  assert.match(
    await wrong('BLOB_ENDPOINT: dataStorage.outputs.blobEndpoint', ''),
    /missing.*"BLOB_ENDPOINT"/,
  );
});
