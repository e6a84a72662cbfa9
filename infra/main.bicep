// The replica and all it needs, in one resource group. Nothing here has a key: one identity, with as few rights as
// each service can tell apart, and the app comes after its rights.
import { appOptions, cosmosOptions, eventHubOptions, replicaOptions, tags as tagsType } from 'options.bicep'
import { alertOptions } from 'modules/alertOptions.bicep'
import {
  checkedAlertHours
  checkedAlwaysReady
  checkedConfig
  checkedIndexedPaths
  checkedIpRanges
  checkedMaximumCapacity
  checkedMaximumInstances
  checkedMaskSaltUri
  checkedName
  checkedNetworkAddresses
  checkedParkedHours
  checkedPrincipalId
  checkedThroughput
  checkedTombstoneDays
} from 'rules.bicep'

@description('Base of all names: lower-case letters, digits and hyphens. No shorter than a Log Analytics workspace may be called.')
@minLength(4)
@maxLength(20)
param name string

param location string = resourceGroup().location
param tags tagsType = {}
param eventHub eventHubOptions
param cosmos cosmosOptions
param app appOptions
param replica replicaOptions

@description('Who is told of what.')
param alerts alertOptions = { emails: [] }

@description('Private endpoints for everything the app uses; the hub stays open to eventHub.allowedIpRanges, for CES.')
param privateNetworking bool = false

@description('IPv4 addresses of the private network, /23 or more of them: such as no network has that it is peered with.')
param networkAddresses string = '10.0.0.0/23'

@description('Object id of the identity of the SQL server, which may then publish to the hub.')
param senderPrincipalId string = ''

@description('Object id of a person or group that may read, replay and discard dead letters with npm run ops.')
param operatorPrincipalId string = ''

@description('Where in a key vault the salt of masked values is; needed when replica.config masks columns. The app reads it.')
param maskSaltUri string = ''

var hubName = 'ces'
var consumerGroupName = 'replica'
var databaseName = 'replica'
var containerName = 'rows'
var transactionsContainerName = 'transactions'
var eventsHubName = replica.?transactions.?eventsHub ?? false ? 'transactions' : ''
var deploymentContainer = 'deployment'
var captureContainer = 'capture'

// All of what is wrong is found here, before there is anything: every name is made of the one in it, and modules would
// look only when it is their turn.
var checked = {
  name: checkedName(name)
  maximumInstances: checkedMaximumInstances(app.maximumInstances, eventHub.partitions)
  alwaysReady: checkedAlwaysReady(app.?alwaysReady.?replicate ?? 0, app.maximumInstances, eventHub.partitions)
  tombstoneDays: checkedTombstoneDays(replica.tombstoneDays, eventHub.retentionDays)
  parkedHours: checkedParkedHours(replica.parkedHours, replica.tombstoneDays)
  config: checkedConfig(replica.?config ?? {}, maskSaltUri)
  maskSaltUri: checkedMaskSaltUri(maskSaltUri)
  maximumCapacity: checkedMaximumCapacity(
    eventHub.sku == 'Standard' ? eventHub.?maximumCapacity : null,
    eventHub.capacity
  )
  ipRanges: checkedIpRanges(eventHub.?allowedIpRanges ?? [], privateNetworking)
  networkAddresses: checkedNetworkAddresses(networkAddresses)
  maxThroughput: cosmos.capacity == 'autoscale' ? checkedThroughput(cosmos.maxThroughput) : 0
  indexedPaths: checkedIndexedPaths(cosmos.?indexedPaths ?? [])
  alertHours: checkedAlertHours(alerts.?oldestParked.?hours ?? 0, replica.parkedHours)
  senderPrincipalId: checkedPrincipalId('senderPrincipalId', senderPrincipalId)
  operatorPrincipalId: checkedPrincipalId('operatorPrincipalId', operatorPrincipalId)
}

// Tables can have containers of their own.
var containerNames = union(
  [containerName],
  map(
    filter(items(checked.config.?tables ?? {}), table => table.value.?container != null),
    table => table.value.container!
  )
)

// Names that must be like no other in the world.
var unique = uniqueString(resourceGroup().id, name)
var uniqueName = '${checked.name}-${unique}'
var storagePrefix = take(replace(checked.name, '-', ''), 7)
var hostStorageName = '${storagePrefix}host${unique}'
var dataStorageName = '${storagePrefix}data${unique}'

var alwaysReady = {
  replicate: checked.alwaysReady
  sweep: app.?alwaysReady.?sweep ?? 0
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: checked.name
  location: location
  tags: tags
}

module monitoring 'modules/monitoring.bicep' = {
  params: {
    name: checked.name
    location: location
    tags: tags
    principalId: identity.properties.principalId
    identityId: identity.id
  }
}

module hostStorage 'modules/hostStorage.bicep' = {
  params: {
    name: hostStorageName
    location: location
    tags: tags
    deploymentContainer: deploymentContainer
    privateNetworking: privateNetworking
    workspaceId: monitoring.outputs.workspaceId
    principalId: identity.properties.principalId
    identityId: identity.id
  }
}

module dataStorage 'modules/dataStorage.bicep' = {
  params: {
    name: dataStorageName
    location: location
    tags: tags
    replica: replica
    privateNetworking: privateNetworking
    workspaceId: monitoring.outputs.workspaceId
    captureDays: eventHub.?capture.?keptDays ?? 0
    captureContainer: captureContainer
    principalId: identity.properties.principalId
    identityId: identity.id
    operatorPrincipalId: checked.operatorPrincipalId
  }
}

module hub 'modules/eventHub.bicep' = {
  params: {
    name: uniqueName
    location: location
    tags: tags
    hubName: hubName
    consumerGroupName: consumerGroupName
    options: eventHub
    privateNetworking: privateNetworking
    workspaceId: monitoring.outputs.workspaceId
    principalId: identity.properties.principalId
    identityId: identity.id
    senderPrincipalId: checked.senderPrincipalId
    eventsHubName: eventsHubName
    ipRanges: checked.ipRanges
    maximumCapacity: checked.maximumCapacity
    storageAccountName: dataStorageName
    captureContainer: captureContainer
  }
  dependsOn: [dataStorage]
}

module database 'modules/cosmos.bicep' = {
  params: {
    name: uniqueName
    location: location
    tags: tags
    databaseName: databaseName
    containerNames: containerNames
    transactionsContainerName: replica.?transactions == null ? '' : transactionsContainerName
    withOrder: replica.?transactions.?withOrder ?? false
    capacity: cosmos.capacity
    maxThroughput: checked.maxThroughput
    indexedPaths: checked.indexedPaths
    privateNetworking: privateNetworking
    workspaceId: monitoring.outputs.workspaceId
    principalId: identity.properties.principalId
    identityId: identity.id
    operatorPrincipalId: checked.operatorPrincipalId
  }
}

// What each service's private endpoints are called in the public cloud.
var blobZone = 'privatelink.blob.${environment().suffixes.storage}'
var cosmosZone = 'privatelink.documents.azure.com'
var eventHubZone = 'privatelink.servicebus.windows.net'

module network 'modules/virtualNetwork.bicep' = if (privateNetworking) {
  params: {
    name: checked.name
    location: location
    tags: tags
    addresses: checked.networkAddresses
    zoneNames: [blobZone, cosmosZone, eventHubZone]
  }
}

var endpoints = [
  { name: 'host', groupId: 'blob', zoneName: blobZone }
  { name: 'data', groupId: 'blob', zoneName: blobZone }
  { name: 'cosmos', groupId: 'Sql', zoneName: cosmosZone }
  { name: 'hub', groupId: 'namespace', zoneName: eventHubZone }
]

var serviceIds = {
  host: hostStorage.outputs.id
  data: dataStorage.outputs.id
  cosmos: database.outputs.accountId
  hub: hub.outputs.namespaceId
}

module privateEndpoints 'modules/privateEndpoint.bicep' = [
  for endpoint in endpoints: if (privateNetworking) {
    params: {
      name: '${checked.name}-${endpoint.name}'
      location: location
      tags: tags
      subnetId: network!.outputs.endpointSubnetId
      serviceId: serviceIds[endpoint.name]
      groupId: endpoint.groupId
      zoneName: endpoint.zoneName
    }
  }
]

module functionApp 'modules/functionApp.bicep' = {
  params: {
    name: uniqueName
    location: location
    tags: tags
    identityId: identity.id
    identityClientId: identity.properties.clientId
    instanceMemoryMB: app.instanceMemoryMB
    maximumInstances: checked.maximumInstances
    alwaysReady: alwaysReady
    hostStorageName: hostStorageName
    deploymentContainerUrl: '${hostStorage.outputs.blobEndpoint}${deploymentContainer}'
    subnetId: privateNetworking ? network!.outputs.appSubnetId : ''
    workspaceId: monitoring.outputs.workspaceId
    settings: {
      EVENT_HUB_NAME: hubName
      EVENT_HUB_CONSUMER_GROUP: consumerGroupName
      EventHub__fullyQualifiedNamespace: hub.outputs.fullyQualifiedNamespace
      COSMOS_ENDPOINT: database.outputs.endpoint
      COSMOS_DATABASE: databaseName
      COSMOS_CONTAINER: containerName
      BLOB_ENDPOINT: dataStorage.outputs.blobEndpoint
      AZURE_CLIENT_ID: identity.properties.clientId
      REPLICA_EPOCH: string(replica.?epoch ?? 0)
      HUB_RETENTION_DAYS: string(eventHub.retentionDays)
      TOMBSTONE_DAYS: string(checked.tombstoneDays)
      PARKED_HOURS: string(checked.parkedHours)
      BATCH_DEADLINE_SECONDS: string(replica.?batchDeadlineSeconds ?? 120)
      APPLICATIONINSIGHTS_CONNECTION_STRING: monitoring.outputs.applicationInsightsConnectionString
      APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identity.properties.clientId};Authorization=AAD'
      REPLICA_CONFIG: string(checked.config)
      TRANSACTIONS: replica.?transactions == null
        ? 'off'
        : replica.?transactions.?withOrder ?? false ? 'on-with-order' : 'on'
      HUB_PARTITIONS: string(eventHub.partitions)
      TRANSACTION_IDLE_SECONDS: string(replica.?transactions.?idleSeconds ?? 120)
      COSMOS_TRANSACTIONS_CONTAINER: transactionsContainerName
      TRANSACTION_EVENTS_HUB: eventsHubName
    }
    maskSaltUri: checked.maskSaltUri
  }
  dependsOn: [privateEndpoints]
}

module alertRules 'modules/alerts.bicep' = {
  params: {
    name: checked.name
    location: location
    tags: tags
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    cosmosAccountId: database.outputs.accountId
    parkedHours: replica.parkedHours
    alerts: alerts
  }
}

module workbook 'modules/workbook.bicep' = {
  params: {
    name: checked.name
    location: location
    tags: tags
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    cosmosAccountId: database.outputs.accountId
    eventHubNamespaceId: hub.outputs.namespaceId
    eventHubName: hubName
  }
}

output functionAppName string = uniqueName
output eventHubNamespace string = hub.outputs.fullyQualifiedNamespace
output eventHubName string = hubName
@description('Policy whose key the SQL server publishes with; empty when it uses its identity.')
output senderPolicy string = hub.outputs.senderPolicy
output consumerGroup string = consumerGroupName
output cosmosEndpoint string = database.outputs.endpoint
output cosmosDatabase string = databaseName
output cosmosContainer string = containerName
output blobEndpoint string = dataStorage.outputs.blobEndpoint
