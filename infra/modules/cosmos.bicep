// The account, the database, and the containers of the replica.
import { tags as tagsType } from '../options.bicep'
import { cosmosDataContributor } from '../roles.bicep'

param name string
param location string
param tags tagsType
param databaseName string
param containerNames string[]

@description('Of transactions and watermarks; empty where they are not tracked.')
param transactionsContainerName string

@description('Whether rows are given their numbers once their transaction has ended.')
param withOrder bool

param capacity 'serverless' | 'autoscale'

@description('Of each container; 0 with serverless.')
param maxThroughput int

@description('What is indexed besides what the app itself needs.')
param indexedPaths string[]
param privateNetworking bool
param workspaceId string

@description('The app.')
param principalId string
param identityId string

@description('A person or group that replays dead letters with npm run ops; may be empty.')
param operatorPrincipalId string

// Queries are for the rows of a table. The rest of an item is found by its id, or read with it: leaving it out of the
// index about halves what a write costs.
var includedPaths = [
  '/db/?'
  '/schema/?'
  '/table/?'
  // Rows to be numbered are found by the version of their newest change.
  ...(withOrder ? ['/_ces/version/?'] : [])
  ...indexedPaths
]

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' = {
  name: name
  location: location
  tags: tags
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    locations: [{ locationName: location, failoverPriority: 0 }]
    capabilities: capacity == 'serverless' ? [{ name: 'EnableServerless' }] : []
    // Rows of before the hub's retention cannot be published again: going back in time is worth having, and free.
    backupPolicy: { type: 'Continuous', continuousModeProperties: { tier: 'Continuous7Days' } }
    disableLocalAuth: true
    minimalTlsVersion: 'Tls12'
    publicNetworkAccess: privateNetworking ? 'Disabled' : 'Enabled'
  }
}

resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2025-10-15' = {
  parent: account
  name: databaseName
  properties: { resource: { id: databaseName } }
}

resource containers 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2025-10-15' = [
  for container in containerNames: {
    parent: database
    name: container
    properties: {
      resource: {
        id: container
        // Version 2 takes keys of up to 2 KB, which ids need; version 1 looks at the first 100 bytes.
        partitionKey: { paths: ['/pkkey'], kind: 'Hash', version: 2 }
        // On, but without a default: tombstones bring their own.
        defaultTtl: -1
        indexingPolicy: {
          indexingMode: 'consistent'
          includedPaths: map(includedPaths, path => { path: path })
          excludedPaths: [{ path: '/*' }]
        }
      }
      options: maxThroughput > 0 ? { autoscaleSettings: { maxThroughput: maxThroughput } } : {}
    }
  }
]

resource transactions 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2025-10-15' = if (!empty(transactionsContainerName)) {
  parent: database
  name: empty(transactionsContainerName) ? 'none' : transactionsContainerName
  properties: {
    resource: {
      id: transactionsContainerName
      partitionKey: { paths: ['/pkkey'], kind: 'Hash', version: 2 }
      // On, but without a default: ended transactions bring their own.
      defaultTtl: -1
      // The watermark looks for the transactions of a database that are open, not told of yet, or whose rows are not
      // numbered yet, oldest first, and for those that carry progress; all else is found by its id.
      indexingPolicy: {
        indexingMode: 'consistent'
        includedPaths: map(
          ['/db/?', '/status/?', '/outbox/?', '/unnumbered/?', '/carries/?', '/commit/?'],
          path => { path: path }
        )
        excludedPaths: [{ path: '/*' }]
      }
    }
    options: maxThroughput > 0 ? { autoscaleSettings: { maxThroughput: maxThroughput } } : {}
  }
}

resource contributor 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = {
  parent: account
  name: guid(database.id, identityId, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${account.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: principalId
    scope: '${account.id}/dbs/${databaseName}'
  }
}

resource operator 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = if (!empty(operatorPrincipalId)) {
  parent: account
  name: guid(database.id, operatorPrincipalId, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${account.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: operatorPrincipalId
    scope: '${account.id}/dbs/${databaseName}'
  }
  // One after the other: the account takes one change of its roles at a time.
  dependsOn: [contributor]
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'workspace'
  scope: account
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    // A line per request would cost more than the request.
    logs: [{ category: 'ControlPlaneRequests', enabled: true }]
  }
}

output accountId string = account.id
output endpoint string = account.properties.documentEndpoint
