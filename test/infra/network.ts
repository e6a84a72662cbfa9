import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  field,
  infraText,
  type Resource,
  type Snapshot,
  snapshotOf,
  withoutBicep,
} from '../support/bicep.ts';
import { all, deploymentOf, isPrivate, one, parameterFiles, testDeployments } from './deployments.ts';

test('the parameter files have both a public and a private network', { skip: withoutBicep() }, async () => {
  const modes = await Promise.all(parameterFiles.map(async (file) => isPrivate(await deploymentOf(file))));
  assert.deepEqual(new Set(modes), new Set([true, false]));
});

testDeployments('the network is closed or open as a whole', checkNetwork);

test('production works with a public network, too', { skip: withoutBicep() }, async () => {
  const text = infraText('production.bicepparam')
    .replace(/^ *allowedIpRanges.*$/m, '')
    .replace('privateNetworking = true', 'privateNetworking = false');
  const deployment = await snapshotOf(text);
  assert.equal(isPrivate(deployment), false);
  checkNetwork(deployment);
});

test('dev works with a private network, too', { skip: withoutBicep() }, async () => {
  const text = infraText('dev.bicepparam').replace(
    'capacity: 1',
    "capacity: 1, allowedIpRanges: ['20.0.2.7', '20.51.100.0/24']",
  );
  const deployment = await snapshotOf(
    `${text}\nparam privateNetworking = true\nparam networkAddresses = '172.16.4.0/22'\n`,
  );
  assert.equal(isPrivate(deployment), true);
  checkNetwork(deployment);
  assert.deepEqual(
    field(one(deployment, 'Microsoft.EventHub/namespaces/networkRuleSets'), 'properties.ipRules'),
    [
      { action: 'Allow', ipMask: '20.0.2.7' },
      { action: 'Allow', ipMask: '20.51.100.0/24' },
    ],
  );
  const network = one(deployment, 'Microsoft.Network/virtualNetworks');
  assert.deepEqual(field(network, 'properties.addressSpace.addressPrefixes'), ['172.16.4.0/22']);
  assert.deepEqual(prefixesOf(network), ['172.16.4.0/24', '172.16.5.0/27']);
});

function checkNetwork(deployment: Snapshot): void {
  const closed = isPrivate(deployment);
  const services = [
    ...all(deployment, 'Microsoft.Storage/storageAccounts'),
    one(deployment, 'Microsoft.DocumentDB/databaseAccounts'),
  ];
  for (const service of services) {
    const access = field(service, 'properties.publicNetworkAccess');
    assert.equal(access, closed ? 'Disabled' : 'Enabled', service.name);
  }
  // CES cannot use private endpoints: the hub is always open to someone.
  assert.equal(
    field(one(deployment, 'Microsoft.EventHub/namespaces'), 'properties.publicNetworkAccess'),
    'Enabled',
  );
  const rules = one(deployment, 'Microsoft.EventHub/namespaces/networkRuleSets');
  assert.equal(field(rules, 'properties.publicNetworkAccess'), 'Enabled');
  assert.equal(field(rules, 'properties.defaultAction'), closed ? 'Deny' : 'Allow');
  const ranges = field(rules, 'properties.ipRules');
  assert.ok(Array.isArray(ranges) && ranges.length > 0 === closed);

  const subnet = field(one(deployment, 'Microsoft.Web/sites'), 'properties.virtualNetworkSubnetId');
  const endpoints = all(deployment, 'Microsoft.Network/privateEndpoints');
  const zones = all(deployment, 'Microsoft.Network/privateDnsZones');
  if (!closed) {
    assert.equal(subnet, null);
    assert.deepEqual([...endpoints, ...zones], []);
    return;
  }
  const network = one(deployment, 'Microsoft.Network/virtualNetworks');
  assert.equal(subnet, `${network.id}/subnets/app`);
  assert.deepEqual(endpoints.map(({ name }) => name.split('-').at(-1)).sort(), [
    'cosmos',
    'data',
    'host',
    'hub',
  ]);
  for (const { name, ...endpoint } of endpoints) {
    const [zones] = all(deployment, 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups').filter(
      (group) => group.name.startsWith(`${name}/`),
    );
    const zone = String(field(zones, 'properties.privateDnsZoneConfigs.0.properties.privateDnsZoneId'));
    const connection = field(endpoint, 'properties.privateLinkServiceConnections.0.properties');
    const expected = ENDPOINTS[name.split('-').at(-1) ?? ''];
    assert.ok(expected !== undefined, name);
    assert.match(String(field(connection, 'privateLinkServiceId')), expected.service, name);
    assert.deepEqual(field(connection, 'groupIds'), [expected.group], name);
    assert.ok(zone.includes(expected.zone), name);
    assert.equal(field(endpoint, 'properties.subnet.id'), `${network.id}/subnets/endpoints`);
  }
  assert.equal(zones.length, 3);
  const links = all(deployment, 'Microsoft.Network/privateDnsZones/virtualNetworkLinks');
  assert.deepEqual(
    links.map((link) => field(link, 'properties.virtualNetwork.id')),
    zones.map(() => network.id),
  );
}

/** By the end of the endpoint's name: where it leads to, and how names of that service are resolved. */
const ENDPOINTS: Readonly<Record<string, { service: RegExp; group: string; zone: string }>> = {
  cosmos: { service: /databaseAccounts\/\S+$/, group: 'Sql', zone: 'privatelink.documents.azure.com' },
  data: { service: /storageAccounts\/[a-z]+data\w+$/, group: 'blob', zone: 'privatelink.blob.' },
  host: { service: /storageAccounts\/[a-z]+host\w+$/, group: 'blob', zone: 'privatelink.blob.' },
  hub: { service: /namespaces\/\S+$/, group: 'namespace', zone: 'privatelink.servicebus.windows.net' },
};

function prefixesOf(network: Resource): readonly unknown[] {
  const subnets = field(network, 'properties.subnets');
  assert.ok(Array.isArray(subnets));
  return subnets.map((subnet) => field(subnet, 'properties.addressPrefix'));
}

// A running app's subnet cannot move: a new default would end the next deployment.
test('the network has the addresses that it has had', { skip: withoutBicep() }, async () => {
  const network = one(await deploymentOf('production.bicepparam'), 'Microsoft.Network/virtualNetworks');
  assert.deepEqual(prefixesOf(network), ['10.0.0.0/24', '10.0.1.0/27']);
});

test('the subnet of the app is delegated as Flex Consumption wants it', {
  skip: withoutBicep(),
}, async () => {
  const network = one(await deploymentOf('production.bicepparam'), 'Microsoft.Network/virtualNetworks');
  assert.equal(field(network, 'properties.subnets.0.name'), 'app');
  assert.equal(
    field(network, 'properties.subnets.0.properties.delegations.0.properties.serviceName'),
    'Microsoft.App/environments',
  );
});
