import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import { field, type Resource, snapshotOf, withoutBicep } from '../support/bicep.ts';
import { all, appSettings, deploymentOf, fields, filledIn, one, testDeployments } from './deployments.ts';

testDeployments(
  'the hub speaks Kafka and TLS 1.2, and is read by a consumer group of its own',
  (deployment) => {
    const namespace = one(deployment, 'Microsoft.EventHub/namespaces');
    assert.notEqual(field(namespace, 'sku.name'), 'Basic');
    assert.deepEqual(fields(namespace, 'properties.kafkaEnabled', 'properties.minimumTlsVersion'), {
      'properties.kafkaEnabled': true,
      'properties.minimumTlsVersion': '1.2',
    });
    const settings = appSettings(deployment);
    one(deployment, 'Microsoft.EventHub/namespaces/eventhubs', `/${settings.get('EVENT_HUB_NAME')}`);
    const path = `/${settings.get('EVENT_HUB_NAME')}/${settings.get('EVENT_HUB_CONSUMER_GROUP')}`;
    one(deployment, 'Microsoft.EventHub/namespaces/eventhubs/consumergroups', path);
  },
);

testDeployments(
  'the app is told the retention that the hub has, and remembers deletes for longer',
  (deployment) => {
    const hub = one(deployment, 'Microsoft.EventHub/namespaces/eventhubs');
    const settings = appSettings(deployment);
    const days = Number(settings.get('HUB_RETENTION_DAYS'));
    assert.equal(field(hub, 'properties.retentionDescription.retentionTimeInHours'), days * 24);
    assert.ok(Number(settings.get('TOMBSTONE_DAYS')) > days);
  },
);

testDeployments('the container takes what the app writes', (deployment) => {
  const settings = appSettings(deployment);
  const path = `/${settings.get('COSMOS_DATABASE')}/${settings.get('COSMOS_CONTAINER')}`;
  const container = one(deployment, 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers', path);
  assert.deepEqual(field(container, 'properties.resource.partitionKey'), {
    paths: ['/pkkey'],
    kind: 'Hash',
    version: 2,
  });
  assert.equal(field(container, 'properties.resource.defaultTtl'), -1);
  assert.deepEqual(field(container, 'properties.resource.indexingPolicy.excludedPaths'), [{ path: '/*' }]);
  assert.deepEqual(field(container, 'properties.resource.indexingPolicy.includedPaths'), [
    { path: '/db/?' },
    { path: '/schema/?' },
    { path: '/table/?' },
  ]);
});

test('transactions have a container of their own, only where they are tracked', {
  skip: withoutBicep(),
}, async () => {
  const type = 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers';
  const text = (choice: string): string =>
    filledIn('production.bicepparam').replace('parkedHours: 48', `parkedHours: 48${choice}`);
  const off = await snapshotOf(text(''));
  assert.equal(appSettings(off).get('TRANSACTIONS'), 'off');
  assert.equal(all(off, type).length, 1);
  assert.equal(appSettings(off).get('TRANSACTION_EVENTS_HUB'), '');
  const on = await snapshotOf(text(', transactions: { withOrder: true, idleSeconds: 60 }'));
  const settings = appSettings(on);
  assert.equal(settings.get('TRANSACTIONS'), 'on-with-order');
  assert.equal(settings.get('TRANSACTION_IDLE_SECONDS'), '60');
  const hub = one(on, 'Microsoft.EventHub/namespaces/eventhubs');
  assert.equal(settings.get('HUB_PARTITIONS'), String(field(hub, 'properties.partitionCount')));
  const container = one(on, type, `/${settings.get('COSMOS_TRANSACTIONS_CONTAINER')}`);
  assert.deepEqual(field(container, 'properties.resource.partitionKey.paths'), ['/pkkey']);
  assert.equal(field(container, 'properties.resource.defaultTtl'), -1);
  assert.deepEqual(field(container, 'properties.resource.indexingPolicy.includedPaths'), [
    { path: '/db/?' },
    { path: '/status/?' },
    { path: '/outbox/?' },
    { path: '/unnumbered/?' },
    { path: '/carries/?' },
    { path: '/commit/?' },
  ]);
  const indexed = (deployment: typeof on) =>
    field(
      one(deployment, type, `/${settings.get('COSMOS_CONTAINER')}`),
      'properties.resource.indexingPolicy.includedPaths',
    );
  const paths = [{ path: '/db/?' }, { path: '/schema/?' }, { path: '/table/?' }];
  assert.deepEqual(indexed(off), paths);
  assert.deepEqual(indexed(on), [...paths, { path: '/_ces/version/?' }]);
});

testDeployments('capacity of Cosmos DB is either serverless or autoscale', (deployment) => {
  const account = one(deployment, 'Microsoft.DocumentDB/databaseAccounts');
  const container = one(deployment, 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers');
  const serverless = JSON.stringify(field(account, 'properties.capabilities')).includes('EnableServerless');
  const most = field(container, 'properties.options.autoscaleSettings.maxThroughput');
  assert.equal(serverless, most === undefined);
  assert.equal(field(account, 'properties.minimalTlsVersion'), 'Tls12');
});

testDeployments('there is a container for all that the app stores, and one for its package', (deployment) => {
  const containers = all(deployment, 'Microsoft.Storage/storageAccounts/blobServices/containers');
  const ofData = containers
    .filter(({ name }) => /^\w*data\w*\//.test(name))
    .map(({ name }) => name.split('/')[2]);
  const captured = field(
    one(deployment, 'Microsoft.EventHub/namespaces/eventhubs'),
    'properties.captureDescription.destination.properties.blobContainer',
  );
  const expected = [...Object.values(blobContainers), ...(captured === undefined ? [] : [captured])];
  assert.deepEqual(ofData.sort(), expected.sort());
  const ofHost = containers
    .filter(({ name }) => /^\w*host\w*\//.test(name))
    .map(({ name }) => name.split('/')[2]);
  assert.deepEqual(ofHost, ['deployment']);
  for (const account of all(deployment, 'Microsoft.Storage/storageAccounts'))
    assert.equal(field(account, 'properties.minimumTlsVersion'), 'TLS1_2', account.name);
});

// A rule that comes before the sweeper would take segments and notes away that are still needed.
testDeployments('what is parked is deleted long after the sweeper would have', (deployment) => {
  const rules = rulesOf(deployment);
  const tombstoneDays = Number(appSettings(deployment).get('TOMBSTONE_DAYS'));
  const parkedDays = Number(appSettings(deployment).get('PARKED_HOURS')) / 24;
  const deletedAfter = rules.get(`${blobContainers.parked}/`) ?? 0;
  assert.ok(deletedAfter >= Math.max(tombstoneDays, parkedDays) + 30, `${deletedAfter} days`);
  assert.equal(rules.get(`${blobContainers.deadLetters}/`), undefined);
});

test('dead letters and captured files are deleted after the time that is asked for', {
  skip: withoutBicep(),
}, async () => {
  const text = filledIn('production.bicepparam').replace(
    'parkedHours: 48',
    'parkedHours: 48, deadLetterDays: 400',
  );
  const rules = rulesOf(await snapshotOf(text));
  assert.equal(rules.get(`${blobContainers.deadLetters}/`), 400);
  assert.equal(rules.get('capture/'), 30);
});

function rulesOf(deployment: Parameters<typeof one>[0]): ReadonlyMap<string, number> {
  const policy = one(deployment, 'Microsoft.Storage/storageAccounts/managementPolicies');
  const rules = field(policy, 'properties.policy.rules');
  assert.ok(Array.isArray(rules));
  return new Map(
    rules.map((rule) => {
      assert.deepEqual(field(rule, 'definition.filters.blobTypes'), ['blockBlob']);
      const after = field(rule, 'definition.actions.baseBlob.delete.daysAfterModificationGreaterThan');
      return [String(field(rule, 'definition.filters.prefixMatch.0')), Number(after)];
    }),
  );
}

/** What has logs that say something: types of resources that need a diagnostic setting. */
const LOGGED = [
  'Microsoft.DocumentDB/databaseAccounts',
  'Microsoft.EventHub/namespaces',
  'Microsoft.Storage/storageAccounts/blobServices',
  'Microsoft.Web/sites',
];

/** What has none, or is where logs go. */
const UNLOGGED = [
  'Microsoft.Insights/actionGroups',
  'Microsoft.Insights/components',
  'Microsoft.Insights/metricAlerts',
  'Microsoft.Insights/scheduledQueryRules',
  'Microsoft.Insights/workbooks',
  'Microsoft.ManagedIdentity/userAssignedIdentities',
  'Microsoft.Network/privateDnsZones',
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
  'Microsoft.Network/privateEndpoints',
  'Microsoft.Network/virtualNetworks',
  'Microsoft.OperationalInsights/workspaces',
  'Microsoft.Storage/storageAccounts',
  'Microsoft.Web/serverfarms',
];

testDeployments('every resource that has logs sends them to the workspace', (deployment) => {
  const settings = all(deployment, 'Microsoft.Insights/diagnosticSettings');
  for (const { type, id } of deployment.resources.filter(({ type }) => LOGGED.includes(type))) {
    const own = settings.filter((setting) => setting.id.startsWith(`${id}/providers/Microsoft.Insights/`));
    assert.equal(own.length, 1, `${type} ${id}`);
    const workspace = one(deployment, 'Microsoft.OperationalInsights/workspaces');
    assert.equal(field(own[0], 'properties.workspaceId'), workspace.id);
    assert.notDeepEqual(field(own[0], 'properties.logs'), []);
  }
});

testDeployments('of every kind of resource it is known whether it has logs', (deployment) => {
  const tagged = deployment.resources.filter((resource) => resource['tags'] !== undefined);
  for (const { type } of tagged) assert.ok([...LOGGED, ...UNLOGGED].includes(type), type);
});

// Costs a line per request or per message: dearer than what it is about.
testDeployments('no log has a line per request', (deployment) => {
  const settings = all(deployment, 'Microsoft.Insights/diagnosticSettings');
  const text = JSON.stringify(settings.map((setting) => field(setting, 'properties.logs')));
  assert.doesNotMatch(text, /DataPlaneRequests|StorageRead|StorageWrite|QueryRuntime|allLogs|RuntimeAudit/);
});

test('a namespace grows as far as it may, or stays as it is', { skip: withoutBicep() }, async () => {
  const growth = ['properties.isAutoInflateEnabled', 'properties.maximumThroughputUnits'];
  const namespaceOf = async (file: string): Promise<Resource> =>
    one(await deploymentOf(file), 'Microsoft.EventHub/namespaces');
  const production = fields(await namespaceOf('production.bicepparam'), ...growth);
  assert.deepEqual(Object.values(production), [true, 10]);
  const dev = fields(await namespaceOf('dev.bicepparam'), ...growth);
  assert.deepEqual(Object.values(dev), [false, 0]);
});

test('captured files are written with the identity of Event Hubs', { skip: withoutBicep() }, async () => {
  const deployment = await deploymentOf('production.bicepparam');
  const hub = one(deployment, 'Microsoft.EventHub/namespaces/eventhubs');
  assert.deepEqual(
    fields(hub, 'properties.captureDescription.enabled', 'properties.captureDescription.encoding'),
    { 'properties.captureDescription.enabled': true, 'properties.captureDescription.encoding': 'Avro' },
  );
  assert.deepEqual(field(hub, 'properties.captureDescription.destination.identity'), {
    type: 'SystemAssigned',
  });
  assert.deepEqual(field(one(deployment, 'Microsoft.EventHub/namespaces'), 'identity'), {
    type: 'SystemAssigned',
  });
  // Past the firewall it comes as a trusted service. Nothing comes into the account of the host that way.
  for (const [account, bypass] of [
    ['data', 'AzureServices'],
    ['host', 'None'],
  ] as const) {
    const found = all(deployment, 'Microsoft.Storage/storageAccounts').find(({ name }) =>
      name.includes(account),
    );
    assert.deepEqual(field(found, 'properties.networkAcls'), { defaultAction: 'Deny', bypass });
  }
  // An empty file for each partition, every five minutes, is paid for.
  assert.equal(field(hub, 'properties.captureDescription.skipEmptyArchives'), true);
  const onCapture = all(deployment, 'Microsoft.Authorization/roleAssignments').filter(({ id }) =>
    id.includes('/containers/capture/'),
  );
  assert.equal(onCapture.length, 1);
  assert.match(String(field(onCapture[0], 'properties.principalId')), /EventHub\/namespaces.*identity/);
});
