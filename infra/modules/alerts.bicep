// Who is told when the replica needs a person, and when that is.

import { tags as tagsType } from '../options.bicep'
import { alertOptions } from 'alertOptions.bicep'

@description('Base of all names.')
param name string
param location string
param tags tagsType
param applicationInsightsId string
param cosmosAccountId string

@description('When the app gives up events that stay incomplete: an alert on them has to come earlier.')
param parkedHours int
param alerts alertOptions

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
    parkedHours: parkedHours
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
