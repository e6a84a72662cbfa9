// Parked segments, dead letters, and captured files if there are any.
import { blobContainers } from '../generated/blobContainers.bicep'
import { replicaOptions, tags as tagsType } from '../options.bicep'
import { storageBlobDataContributor } from '../roles.bicep'

param name string
param location string
param tags tagsType
param replica replicaOptions
param privateNetworking bool
param workspaceId string

@description('Days that captured files are kept; 0: nothing is captured.')
param captureDays int
param captureContainer string

@description('The app.')
param principalId string
param identityId string

@description('A person or group that looks after dead letters with npm run ops; may be empty.')
param operatorPrincipalId string

var appContainers = map(items(blobContainers), container => container.value)

module storage 'storageAccount.bicep' = {
  params: {
    name: name
    location: location
    tags: tags
    containers: [...appContainers, ...(captureDays > 0 ? [captureContainer] : [])]
    privateNetworking: privateNetworking
    workspaceId: workspaceId
    trustAzureServices: captureDays > 0
  }
}

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: name

  resource blobs 'blobServices' existing = {
    name: 'default'

    resource containers 'containers' existing = [for container in appContainers: { name: container }]
  }
}

resource contributor 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (container, index) in appContainers: {
    name: guid(account::blobs::containers[index].id, identityId, storageBlobDataContributor)
    scope: account::blobs::containers[index]
    properties: {
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataContributor)
      principalId: principalId
      principalType: 'ServicePrincipal'
    }
    dependsOn: [storage]
  }
]

resource operator 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (container, index) in appContainers: if (!empty(operatorPrincipalId)) {
    name: guid(account::blobs::containers[index].id, operatorPrincipalId, storageBlobDataContributor)
    scope: account::blobs::containers[index]
    properties: {
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataContributor)
      principalId: operatorPrincipalId
    }
    dependsOn: [storage]
  }
]

// The sweeper clears the container parked. What it leaves is of another replica, or of an app that was removed or
// stopped for good: until then it has this much longer than the oldest thing it keeps.
var sweeperGraceDays = 30

var deletions = [
  { name: 'parked', prefix: blobContainers.parked, days: replica.tombstoneDays + sweeperGraceDays }
  { name: 'dead-letters', prefix: blobContainers.deadLetters, days: replica.?deadLetterDays ?? 0 }
  { name: 'capture', prefix: captureContainer, days: captureDays }
]

resource lifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-08-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: map(filter(deletions, deletion => deletion.days > 0), deletion => {
        name: deletion.name
        type: 'Lifecycle'
        definition: {
          filters: { blobTypes: ['blockBlob'], prefixMatch: ['${deletion.prefix}/'] }
          actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: deletion.days } } }
        }
      })
    }
  }
  dependsOn: [storage]
}

output id string = storage.outputs.id
output blobEndpoint string = storage.outputs.blobEndpoint
