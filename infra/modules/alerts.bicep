// Who is told when the replica needs a person, and when that is.

import { AlertOptions } from 'alertOptions.bicep'

@description('Base of all names.')
param name string
param location string
param tags object
param applicationInsightsId string
param cosmosAccountId string
param alerts AlertOptions

var runbooks = alerts.?runbooks ?? 'docs/operations.md'

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: '${name}-alerts'
  location: 'global'
  tags: tags
  properties: {
    enabled: true
    groupShortName: take(name, 12)
    emailReceivers: [
      for email in alerts.emails: {
        name: email
        emailAddress: email
        useCommonAlertSchema: true
      }
    ]
  }
}

module logAlerts 'logAlerts.bicep' = {
  params: {
    name: name
    location: location
    tags: tags
    applicationInsightsId: applicationInsightsId
    actionGroupId: actionGroup.id
    runbooks: runbooks
    alerts: alerts
  }
}

module cosmosAlerts 'cosmosAlerts.bicep' = {
  params: {
    name: name
    tags: tags
    cosmosAccountId: cosmosAccountId
    actionGroupId: actionGroup.id
    runbooks: runbooks
    alerts: alerts
  }
}
