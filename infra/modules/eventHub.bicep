// The namespace, the hub that CES publishes to, and who may read it and write to it.
import { eventHubOptions, tags as tagsType } from '../options.bicep'
import { eventHubsDataReceiver, eventHubsDataSender } from '../roles.bicep'

param name string
param location string
param tags tagsType
param hubName string
param consumerGroupName string
param options eventHubOptions

@description('What the firewall lets in.')
param ipRanges string[]

@description('Throughput units that the namespace grows to; 0: it stays as it is.')
param maximumCapacity int
param privateNetworking bool
param workspaceId string

@description('The app, which may read the hub.')
param principalId string
param identityId string

@description('The SQL server, which may write to the hub; empty when it uses a key.')
param senderPrincipalId string

@description('The hub that boundaries of transactions go to; empty: there is none.')
param eventsHubName string

@description('Storage account with the container for captured files.')
param storageAccountName string
param captureContainer string

var allowKeys = options.?allowKeys ?? false
var senderPolicyName = 'ces'

resource storageAccount 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: storageAccountName
}

resource namespace 'Microsoft.EventHub/namespaces@2026-01-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: options.sku, tier: options.sku, capacity: options.capacity }
  // With it Event Hubs writes captured files; the app's identity must not be able to read what it need not.
  identity: options.?capture == null ? null : { type: 'SystemAssigned' }
  properties: {
    kafkaEnabled: true
    minimumTlsVersion: '1.2'
    disableLocalAuth: !allowKeys
    isAutoInflateEnabled: maximumCapacity > 0
    maximumThroughputUnits: maximumCapacity
    publicNetworkAccess: 'Enabled'
  }
}

// CES cannot use private endpoints, so there is always a way in from outside, through as few addresses as can be.
resource network 'Microsoft.EventHub/namespaces/networkRuleSets@2026-01-01' = {
  parent: namespace
  name: 'default'
  properties: {
    publicNetworkAccess: 'Enabled'
    defaultAction: privateNetworking ? 'Deny' : 'Allow'
    trustedServiceAccessEnabled: false
    ipRules: [for range in ipRanges: { action: 'Allow', ipMask: range }]
    virtualNetworkRules: []
  }
}

module captureWriter 'captureWriter.bicep' = if (options.?capture != null) {
  params: {
    storageAccountName: storageAccountName
    container: captureContainer
    namespaceId: namespace.id
    principalId: namespace.identity!.principalId
  }
}

resource hub 'Microsoft.EventHub/namespaces/eventhubs@2026-01-01' = {
  parent: namespace
  name: hubName
  properties: {
    partitionCount: options.partitions
    retentionDescription: { cleanupPolicy: 'Delete', retentionTimeInHours: options.retentionDays * 24 }
    captureDescription: options.?capture == null
      ? null
      : {
          enabled: true
          encoding: 'Avro'
          // A quiet hub would otherwise write an empty file per partition every few minutes.
          skipEmptyArchives: true
          intervalInSeconds: 300
          sizeLimitInBytes: 300 * 1024 * 1024
          destination: {
            name: 'EventHubArchive.AzureBlockBlob'
            identity: { type: 'SystemAssigned' }
            properties: {
              storageAccountResourceId: storageAccount.id
              blobContainer: captureContainer
              archiveNameFormat: '{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}'
            }
          }
        }
  }
  dependsOn: [captureWriter]
}

// One partition, as Debezium's topic for them has: a BEGIN is read before its END.
resource eventsHub 'Microsoft.EventHub/namespaces/eventhubs@2026-01-01' = if (!empty(eventsHubName)) {
  parent: namespace
  name: empty(eventsHubName) ? 'none' : eventsHubName
  properties: {
    partitionCount: 1
    retentionDescription: { cleanupPolicy: 'Delete', retentionTimeInHours: options.retentionDays * 24 }
  }
}

// Of its own, so that nothing else moves the app's place in the hub.
resource consumerGroup 'Microsoft.EventHub/namespaces/eventhubs/consumergroups@2026-01-01' = {
  parent: hub
  name: consumerGroupName
}

resource senderKey 'Microsoft.EventHub/namespaces/eventhubs/authorizationRules@2026-01-01' = if (allowKeys) {
  parent: hub
  name: senderPolicyName
  properties: { rights: ['Send'] }
}

// On the hub, not on the consumer group: the trigger also asks the hub for its partitions.
resource receiver 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(hub.id, identityId, eventHubsDataReceiver)
  scope: hub
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', eventHubsDataReceiver)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource eventsSender 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(eventsHubName)) {
  name: guid(eventsHub.id, identityId, eventHubsDataSender)
  scope: eventsHub
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', eventHubsDataSender)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource sender 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(senderPrincipalId)) {
  name: guid(hub.id, senderPrincipalId, eventHubsDataSender)
  scope: hub
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', eventHubsDataSender)
    principalId: senderPrincipalId
    principalType: 'ServicePrincipal'
  }
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'workspace'
  scope: namespace
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    // What tells why CES cannot publish or Capture cannot write; not one line per message.
    logs: [
      for category in [
        'ArchiveLogs'
        'DiagnosticErrorLogs'
        'EventHubVNetConnectionEvent'
        'KafkaUserErrorLogs'
        'OperationalLogs'
      ]: { category: category, enabled: true }
    ]
  }
}

output senderPolicy string = allowKeys ? senderPolicyName : ''
output namespaceId string = namespace.id
output fullyQualifiedNamespace string = split(split(namespace.properties.serviceBusEndpoint, '://')[1], ':')[0]
