// A storage account for blobs that only identities can use.
import { tags as tagsType } from '../options.bicep'

param name string
param location string
param tags tagsType
param containers string[]
param privateNetworking bool
param workspaceId string

@description('Lets Event Hubs in past the firewall, to write captured files.')
param trustAzureServices bool = false

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
  properties: {
    accessTier: 'Hot'
    allowSharedKeyAccess: false
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: privateNetworking ? 'Disabled' : 'Enabled'
    networkAcls: {
      defaultAction: privateNetworking ? 'Deny' : 'Allow'
      bypass: trustAzureServices ? 'AzureServices' : 'None'
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-08-01' = {
  parent: account
  name: 'default'
}

resource blobContainers 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-08-01' = [
  for container in containers: {
    parent: blobs
    name: container
    properties: { publicAccess: 'None' }
  }
]

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'workspace'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    // Who removed a blob. Reads and writes are many and say little.
    logs: [{ category: 'StorageDelete', enabled: true }]
  }
}

output id string = account.id
output blobEndpoint string = account.properties.primaryEndpoints.blob
