// Lets Event Hubs write captured files, and nothing else of the account. A module, because the identity of the
// namespace is not known before the namespace is there.
import { storageBlobDataContributor } from '../roles.bicep'

param storageAccountName string
param container string
param namespaceId string
param principalId string

resource captured 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-08-01' existing = {
  name: '${storageAccountName}/default/${container}'
}

resource writer 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(captured.id, namespaceId, storageBlobDataContributor)
  scope: captured
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataContributor)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}
