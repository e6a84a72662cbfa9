// Where everything reports to: Application Insights on a Log Analytics workspace of its own.
import { tags as tagsType } from '../options.bicep'
import { monitoringMetricsPublisher } from '../roles.bicep'

param name string
param location string
param tags tagsType

@description('The app, which may write here.')
param principalId string
param identityId string

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-07-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: 30
    features: { disableLocalAuth: true }
  }
}

resource insights 'Microsoft.Insights/components@2020-02-02' = {
  name: name
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    DisableLocalAuth: true
  }
}

resource publisher 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(insights.id, identityId, monitoringMetricsPublisher)
  scope: insights
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

output workspaceId string = workspace.id
output applicationInsightsId string = insights.id

@description('Names the resource; it is no secret, as keys do not let anyone in.')
output applicationInsightsConnectionString string = insights.properties.ConnectionString
