// Alerts on what Cosmos DB itself measures. Both say that throughput is short.

import { tags as tagsType } from '../options.bicep'
import { alertOptions } from 'alertOptions.bicep'

param name string
param tags tagsType
param cosmosAccountId string
param actionGroupId string
@description('Where docs/operations.md is.')
param runbooks string
param alerts alertOptions

var throttledRequests = alerts.?throttled.?requests ?? 100
var ruPercent = alerts.?normalizedRu.?percent ?? 90

var cosmosAlerts cosmosAlertRule[] = [
  {
    key: 'throttled'
    title: 'Cosmos DB refuses requests'
    enabled: alerts.?throttled.?enabled ?? true
    metric: 'TotalRequests'
    aggregation: 'Count'
    threshold: throttledRequests
    splitBy: { name: 'StatusCode', values: ['429'] }
    advice: 'Cosmos DB refused more than ${throttledRequests} requests in 15 minutes for want of request units. The app waits and loses nothing; if it lags as well, raise the throughput.'
  }
  {
    key: 'normalized-ru'
    title: 'Cosmos DB is at its limit'
    enabled: alerts.?normalizedRu.?enabled ?? true
    metric: 'NormalizedRUConsumption'
    aggregation: 'Average'
    threshold: ruPercent
    // Without this it would be the average of all partitions, which hides the one that is at its limit.
    splitBy: { name: 'PartitionKeyRangeId', values: ['*'] }
    advice: 'A partition of Cosmos DB has used more than ${ruPercent} percent of its throughput over 15 minutes. Raise the throughput before the replica lags.'
  }
]

resource cosmosAlert 'Microsoft.Insights/metricAlerts@2026-01-01' = [
  for alert in cosmosAlerts: {
    name: '${name}-${alert.key}'
    location: 'global'
    tags: tags
    properties: {
      description: '${alert.advice} See ${runbooks}#many-429'
      severity: 3
      enabled: alert.enabled
      scopes: [cosmosAccountId]
      evaluationFrequency: 'PT5M'
      windowSize: 'PT15M'
      autoMitigate: true
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
        allOf: [
          {
            criterionType: 'StaticThresholdCriterion'
            name: alert.key
            metricNamespace: 'Microsoft.DocumentDB/databaseAccounts'
            metricName: alert.metric
            timeAggregation: alert.aggregation
            operator: 'GreaterThan'
            threshold: alert.threshold
            dimensions: [
              {
                name: alert.splitBy.name
                operator: 'Include'
                values: alert.splitBy.values
              }
            ]
          }
        ]
      }
      actions: [{ actionGroupId: actionGroupId }]
    }
  }
]

type cosmosAlertRule = {
  key: string
  title: string
  enabled: bool
  metric: string
  aggregation: 'Average' | 'Count'
  threshold: int
  @description('Each of these values by itself; * stands for all.')
  splitBy: { name: 'PartitionKeyRangeId' | 'StatusCode', values: string[] }
  advice: string
}
