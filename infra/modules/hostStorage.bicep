// What the Functions host keeps: the deployed package, its locks, and how far each partition has been read.
import { tags as tagsType } from '../options.bicep'
import { storageBlobDataOwner } from '../roles.bicep'

param name string
param location string
param tags tagsType
param deploymentContainer string
param privateNetworking bool
param workspaceId string

@description('The app.')
param principalId string
param identityId string

module storage 'storageAccount.bicep' = {
  params: {
    name: name
    location: location
    tags: tags
    containers: [deploymentContainer]
    privateNetworking: privateNetworking
    workspaceId: workspaceId
  }
}

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: name
}

// The role that AzureWebJobsStorage asks for: the host creates its containers itself, so it needs the account, which
// holds nothing else. It would use tables for its own diagnostic events only, and queues for other triggers.
resource owner 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, identityId, storageBlobDataOwner)
  scope: account
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataOwner)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
  dependsOn: [storage]
}

output id string = storage.outputs.id
output blobEndpoint string = storage.outputs.blobEndpoint
