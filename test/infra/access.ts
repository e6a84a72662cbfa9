import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, field, infraText, type Snapshot, snapshotOf, withoutBicep } from '../support/bicep.ts';
import { all, appSettings, one, testDeployments } from './deployments.ts';

testDeployments('nothing but identities lets anyone in', (deployment) => {
  for (const account of all(deployment, 'Microsoft.Storage/storageAccounts')) {
    assert.equal(field(account, 'properties.allowSharedKeyAccess'), false, account.name);
    assert.equal(field(account, 'properties.allowBlobPublicAccess'), false, account.name);
  }
  const account = one(deployment, 'Microsoft.DocumentDB/databaseAccounts');
  assert.equal(field(account, 'properties.disableLocalAuth'), true);
  const insights = one(deployment, 'Microsoft.Insights/components');
  assert.equal(field(insights, 'properties.DisableLocalAuth'), true);
  const workspace = one(deployment, 'Microsoft.OperationalInsights/workspaces');
  assert.equal(field(workspace, 'properties.features.disableLocalAuth'), true);
  const passwords = all(deployment, 'Microsoft.Web/sites/basicPublishingCredentialsPolicies');
  assert.deepEqual(
    passwords.map((policy) => field(policy, 'properties.allow')),
    [false, false],
  );
});

testDeployments('keys of the hub are off', checkKeys);

test('a key that can only send comes where it is asked for', { skip: withoutBicep() }, async () => {
  const text = infraText('dev.bicepparam').replace('// allowKeys', 'allowKeys');
  const deployment = await snapshotOf(text);
  const namespace = one(deployment, 'Microsoft.EventHub/namespaces');
  assert.equal(field(namespace, 'properties.disableLocalAuth'), false);
  checkKeys(deployment);
});

function checkKeys(deployment: Snapshot): void {
  const namespace = one(deployment, 'Microsoft.EventHub/namespaces');
  const rules = deployment.resources.filter(({ type }) => /authorizationRules$/i.test(type));
  const policy = deployment.outputs['senderPolicy'];
  if (field(namespace, 'properties.disableLocalAuth') === true) {
    assert.deepEqual([rules, policy], [[], '']);
    return;
  }
  assert.equal(rules.length, 1);
  assert.ok(policy !== '' && rules[0]?.name.endsWith(`/ces/${policy}`));
  assert.equal(rules[0]?.type, 'Microsoft.EventHub/namespaces/eventhubs/authorizationRules');
  assert.deepEqual(field(rules[0], 'properties.rights'), ['Send']);
}

/** What the app may do, and where: the service, the end of the scope, the role. */
const APP_ROLES = [
  'Microsoft.EventHub eventhubs/ces: Azure Event Hubs Data Receiver',
  'Microsoft.Insights components/*: Monitoring Metrics Publisher',
  'Microsoft.Storage containers/dead-letters: Storage Blob Data Contributor',
  'Microsoft.Storage containers/large-values: Storage Blob Data Contributor',
  'Microsoft.Storage containers/parked: Storage Blob Data Contributor',
  'Microsoft.Storage storageAccounts/*: Storage Blob Data Owner',
];

const ROLE_NAMES: Readonly<Record<string, string>> = {
  'a638d3c7-ab3a-418d-83e6-5f17a39d4fde': 'Azure Event Hubs Data Receiver',
  '2b629674-e913-4c01-ae53-ef4638d8f975': 'Azure Event Hubs Data Sender',
  'b7e6dc6d-f1e8-4753-8033-0f276bb0955b': 'Storage Blob Data Owner',
  'ba92f5b4-2d11-453d-a403-e96b0029c9fe': 'Storage Blob Data Contributor',
  '3913510d-42f4-4e42-8a64-420c390055eb': 'Monitoring Metrics Publisher',
};

function rolesOf(deployment: Snapshot, principal: RegExp): readonly string[] {
  return all(deployment, 'Microsoft.Authorization/roleAssignments')
    .filter((assignment) => principal.test(String(field(assignment, 'properties.principalId'))))
    .map((assignment) => {
      const scope = assignment.id.split('/providers/').slice(0, -1).at(-1) ?? '';
      const [service] = scope.split('/');
      const [kind, name] = scope.split('/').slice(-2);
      const unique = kind === 'storageAccounts' || kind === 'components' ? '*' : name;
      const role = String(field(assignment, 'properties.roleDefinitionId')).split('/').at(-1) ?? '';
      return `${service} ${kind}/${unique}: ${ROLE_NAMES[role] ?? role}`;
    })
    .sort();
}

testDeployments('the identity of the app has the roles it needs, as narrow as can be', (deployment) => {
  assert.deepEqual(rolesOf(deployment, /userAssignedIdentities/), APP_ROLES);
  // The account it owns is the one of the host, not the one of the data.
  const owner = all(deployment, 'Microsoft.Authorization/roleAssignments').filter((assignment) =>
    String(field(assignment, 'properties.roleDefinitionId')).endsWith('b7e6dc6d-f1e8-4753-8033-0f276bb0955b'),
  );
  assert.match(String(owner[0]?.id), /storageAccounts\/[a-z]+host\w+\/providers/);
});

test('the app may send to the hub for boundaries, where there is one, and to no other', {
  skip: withoutBicep(),
}, async () => {
  const text = infraText('dev.bicepparam').replace(
    'parkedHours: 6',
    'parkedHours: 6, transactions: { eventsHub: true }',
  );
  const deployment = await snapshotOf(text);
  assert.deepEqual(
    rolesOf(deployment, /userAssignedIdentities/),
    [...APP_ROLES, 'Microsoft.EventHub eventhubs/transactions: Azure Event Hubs Data Sender'].sort(),
  );
  const hub = one(deployment, 'Microsoft.EventHub/namespaces/eventhubs', '/transactions');
  // A BEGIN is read before its END.
  assert.equal(field(hub, 'properties.partitionCount'), 1);
  assert.equal(appSettings(deployment).get('TRANSACTION_EVENTS_HUB'), 'transactions');
});

testDeployments('in Cosmos DB the app reads and writes items of its database, no more', (deployment) => {
  const account = one(deployment, 'Microsoft.DocumentDB/databaseAccounts');
  const assignment = one(deployment, 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments');
  assert.equal(field(assignment, 'properties.scope'), `${account.id}/dbs/replica`);
  assert.equal(
    field(assignment, 'properties.roleDefinitionId'),
    `${account.id}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002`,
  );
});

test('the SQL server may send to the hub, an operator may handle dead letters', {
  skip: withoutBicep(),
}, async () => {
  const sender = '11111111-1111-1111-1111-111111111111';
  const operator = '22222222-2222-2222-2222-222222222222';
  const deployment = await snapshotOf(`${infraText('dev.bicepparam')}
param senderPrincipalId = '${sender}'
param operatorPrincipalId = '${operator}'
`);
  assert.deepEqual(rolesOf(deployment, new RegExp(sender)), [
    'Microsoft.EventHub eventhubs/ces: Azure Event Hubs Data Sender',
  ]);
  assert.deepEqual(rolesOf(deployment, new RegExp(operator)), [
    'Microsoft.Storage containers/dead-letters: Storage Blob Data Contributor',
    'Microsoft.Storage containers/large-values: Storage Blob Data Contributor',
    'Microsoft.Storage containers/parked: Storage Blob Data Contributor',
  ]);
  assert.deepEqual(rolesOf(deployment, /userAssignedIdentities/), APP_ROLES);
  const inCosmos = all(deployment, 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments');
  assert.equal(inCosmos.filter((role) => field(role, 'properties.principalId') === operator).length, 1);
});

test('no template asks for a key, so no output can have one', { skip: withoutBicep() }, async () => {
  const { template } = await compile('main.bicep');
  assert.doesNotMatch(
    JSON.stringify(template),
    /\blist(keys|\w*secrets|\w*sas|connectionstrings|credentials)\b/i,
  );
});

testDeployments('outputs name things and hold no secret', ({ outputs }) => {
  assert.deepEqual(Object.keys(outputs).sort(), [
    'blobEndpoint',
    'consumerGroup',
    'cosmosContainer',
    'cosmosDatabase',
    'cosmosEndpoint',
    'eventHubName',
    'eventHubNamespace',
    'functionAppName',
    'senderPolicy',
  ]);
  assert.doesNotMatch(JSON.stringify(outputs), /key|secret|password|connectionString/i);
});
