// The app itself, on Flex Consumption.
import { appSettings } from '../generated/appSettings.bicep'
import { tags as tagsType } from '../options.bicep'

param name string
param location string
param tags tagsType
param identityId string
param identityClientId string
param instanceMemoryMB int
param maximumInstances int

@description('Instances kept warm, by function.')
param alwaysReady { *: int }
param settings appSettings

@description('Where in a key vault the only secret is that the app has; empty: it has none.')
param maskSaltUri string
param hostStorageName string

@description('URL of the container that a deployment puts the package into.')
param deploymentContainerUrl string

@description('Subnet for the way out; empty: none.')
param subnetId string
param workspaceId string

// What the Functions host reads, and src does not.
var hostSettings = {
  AzureWebJobsStorage__accountName: hostStorageName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  EventHub__credential: 'managedidentity'
  EventHub__clientId: identityClientId
}

var secretSettings = empty(maskSaltUri) ? {} : { MASK_SALT: '@Microsoft.KeyVault(SecretUri=${maskSaltUri})' }

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: name
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: { reserved: true }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: name
  location: location
  tags: { ...tags, 'azd-service-name': 'replica' }
  kind: 'functionapp,linux'
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identityId}': {} } }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    // Reads what a setting refers to in a key vault, if any does.
    keyVaultReferenceIdentity: identityId
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    functionAppConfig: {
      runtime: { name: 'node', version: '24' }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: deploymentContainerUrl
          authentication: { type: 'UserAssignedIdentity', userAssignedIdentityResourceId: identityId }
        }
      }
      scaleAndConcurrency: {
        instanceMemoryMB: instanceMemoryMB
        maximumInstanceCount: maximumInstances
        alwaysReady: map(
          filter(items(alwaysReady), group => group.value > 0),
          group => { name: 'function:${group.key}', instanceCount: group.value }
        )
      }
    }
    siteConfig: {
      minTlsVersion: '1.2'
      appSettings: map(items({ ...settings, ...hostSettings, ...secretSettings }), setting => {
        name: setting.key
        value: setting.?value
      })
    }
  }

  // Nobody deploys with a password.
  resource ftp 'basicPublishingCredentialsPolicies' = {
    name: 'ftp'
    properties: { allow: false }
  }

  resource scm 'basicPublishingCredentialsPolicies' = {
    name: 'scm'
    properties: { allow: false }
  }
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'workspace'
  scope: app
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    // The host's own log: where it says why an app does not even start.
    logs: [{ category: 'FunctionAppLogs', enabled: true }]
  }
}

output id string = app.id
