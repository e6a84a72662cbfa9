// Alerts on what the app reports, where queries tell its tables, reasons and partitions apart.

import { tags as tagsType } from '../options.bicep'
import { checkedAlertHours } from '../rules.bicep'
import { alertOptions } from 'alertOptions.bicep'

param name string
param location string
param tags tagsType
@description('Queries see the telemetry of this component only.')
param applicationInsightsId string
param parkedHours int
param actionGroupId string
@description('Where docs/operations.md is.')
param runbooks string
param alerts alertOptions

var lagSeconds = alerts.?lag.?seconds ?? 300
var quietMinutes = alerts.?noEvents.?minutes ?? 60
var silentMinutes = alerts.?notReporting.?minutes ?? 30
var waitingHours = alerts.?oldestParked.?hours
var waitingMinutes = waitingHours == null ? parkedHours * 30 : checkedAlertHours(waitingHours!, parkedHours) * 60
var waitingTime = waitingMinutes % 60 == 0 ? '${waitingMinutes / 60} hours' : '${waitingMinutes} minutes'
var once = { of: 1, failing: 1 }

func duration(minutes int) string => minutes == 1440 ? 'P1D' : minutes < 60 ? 'PT${minutes}M' : 'PT${minutes / 60}H'

// Each looks at more than the five minutes between evaluations, since telemetry can arrive minutes late.
var logAlerts logAlertRule[] = [
  {
    key: 'lag'
    title: 'changes arrive late'
    severity: 2
    enabled: alerts.?lag.?enabled ?? true
    query: loadTextContent('../queries/alerts/lag.kql')
    measure: 'Seconds'
    aggregation: 'Maximum'
    operator: 'GreaterThan'
    threshold: lagSeconds
    splitBy: ['Table']
    window: 'PT5M'
    // A single late message is no lag.
    windows: { of: 3, failing: 2 }
    advice: 'Changes of a table reach the replica more than ${lagSeconds} seconds after their commit. The workbook shows which partitions are behind, and whether Cosmos DB or the number of instances holds them up.'
    section: 'changes-arrive-late'
  }
  {
    key: 'no-events'
    title: 'no messages arrive'
    severity: 1
    enabled: alerts.?noEvents.?enabled ?? true
    query: loadTextContent('../queries/alerts/noEvents.kql')
    measure: 'Messages'
    aggregation: 'Total'
    operator: 'LessThan'
    threshold: 1
    splitBy: []
    window: duration(quietMinutes)
    windows: once
    advice: 'The app has received nothing for ${quietMinutes} minutes. Compare with the messages that came into the hub: either the source does not publish or the app does not read.'
    section: 'no-messages-arrive'
  }
  {
    key: 'not-reporting'
    title: 'the app does not report'
    severity: 1
    enabled: alerts.?notReporting.?enabled ?? true
    query: loadTextContent('../queries/alerts/notReporting.kql')
    measure: 'Sweeps'
    aggregation: 'Total'
    operator: 'LessThan'
    threshold: 1
    splitBy: []
    window: duration(silentMinutes)
    windows: once
    advice: 'Not even the timer has reported for ${silentMinutes} minutes: the app does not run, or cannot send telemetry. Look at its log stream; as long as this lasts, other alerts see nothing.'
    section: 'the-app-does-not-report'
  }
  {
    key: 'dead-letters'
    title: 'messages are put aside'
    severity: 2
    enabled: alerts.?deadLetters.?enabled ?? true
    query: loadTextContent('../queries/alerts/deadLetters.kql')
    measure: 'Messages'
    aggregation: 'Total'
    operator: 'GreaterThan'
    threshold: alerts.?deadLetters.?messages ?? 0
    splitBy: ['Table', 'Reason']
    window: 'PT15M'
    windows: once
    advice: 'Messages became dead letters: what they say is not in the replica. The reason says what to do; then replay or discard them.'
    section: 'messages-are-put-aside'
  }
  {
    key: 'oldest-parked'
    title: 'an event stays incomplete'
    severity: 2
    enabled: alerts.?oldestParked.?enabled ?? true
    query: loadTextContent('../queries/alerts/oldestParked.kql')
    measure: 'Minutes'
    aggregation: 'Maximum'
    operator: 'GreaterThan'
    threshold: waitingMinutes
    splitBy: []
    window: 'PT30M'
    windows: once
    advice: 'Segments of an event have waited for the others for more than ${waitingTime}. After ${parkedHours} hours they become dead letters: look for partitions that do not move on.'
    section: 'an-event-stays-incomplete'
  }
  {
    key: 'failures'
    title: 'batches or sweeps keep failing'
    severity: 1
    enabled: alerts.?failures.?enabled ?? true
    query: loadTextContent('../queries/alerts/failures.kql')
    measure: 'Spans'
    aggregation: 'Maximum'
    operator: 'GreaterThan'
    threshold: alerts.?failures.?spans ?? 3
    splitBy: ['Function', 'Partition']
    window: 'PT30M'
    windows: once
    advice: 'A function has kept failing for a while. Nothing is lost, but a partition whose batch fails does not move on. The newest line "batch failed and comes again" or "sweep failed" names the error.'
    section: 'a-partition-does-not-move-on'
  }
]

resource logAlert 'Microsoft.Insights/scheduledQueryRules@2026-03-01' = [
  for alert in logAlerts: {
    name: '${name}-${alert.key}'
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: '${name}: ${alert.title}'
      description: '${alert.advice} See ${runbooks}#${alert.section}'
      severity: alert.severity
      enabled: alert.enabled
      scopes: [applicationInsightsId]
      evaluationFrequency: 'PT5M'
      windowSize: alert.window
      autoMitigate: true
      criteria: {
        allOf: [
          {
            query: alert.query
            metricMeasureColumn: alert.measure
            timeAggregation: alert.aggregation
            operator: alert.operator
            threshold: alert.threshold
            dimensions: [
              for column in alert.splitBy: {
                name: column
                operator: 'Include'
                values: ['*']
              }
            ]
            failingPeriods: {
              numberOfEvaluationPeriods: alert.windows.of
              minFailingPeriodsToAlert: alert.windows.failing
            }
          }
        ]
      }
      actions: {
        actionGroups: [actionGroupId]
      }
    }
  }
]

type logAlertRule = {
  key: string
  title: string
  severity: 0 | 1 | 2 | 3 | 4
  enabled: bool
  query: string
  measure: string
  aggregation: 'Maximum' | 'Total'
  operator: 'GreaterThan' | 'LessThan'
  threshold: int
  splitBy: string[]
  window: string
  @description('How many windows are looked at, and in how many of them the threshold has to be passed.')
  windows: { of: int, failing: int }
  advice: string
  section: string
}
