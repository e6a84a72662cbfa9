// Answers: is the replica up to date, for which table, and what is stuck?

import { tags as tagsType } from '../options.bicep'
import { bars, cosmosMetric, hubMetrics, lines, table, text, timeRange, wideTable } from 'workbookItems.bicep'

@description('Base of all names.')
param name string
param location string
param tags tagsType
@description('What the app reports to: the queries run there.')
param applicationInsightsId string
param cosmosAccountId string
param eventHubNamespaceId string
param eventHubName string

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, name, 'workbook')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: '${name}: replica'
    category: 'workbook'
    sourceId: applicationInsightsId
    version: 'Notebook/1.0'
    serializedData: string({
      version: 'Notebook/1.0'
      items: [timeRange, ...upToDate, ...stuck, ...heldUp]
      fallbackResourceIds: [applicationInsightsId]
    })
  }
}

var upToDate = [
  text(
    'Is it up to date?',
    'A table without changes has no lag: compare its last change with the source. The table `unknown` counts messages that do not tell theirs, such as segments of split events.'
  )
  wideTable('The replica', loadTextContent('../queries/workbook/state.kql'))
  wideTable('Tables', loadTextContent('../queries/workbook/tables.kql'))
  lines('Lag by table (s)', loadTextContent('../queries/workbook/lagByTable.kql'))
  table('Lag by partition and table', loadTextContent('../queries/workbook/lagByPartition.kql'))
  bars('What became of messages', loadTextContent('../queries/workbook/outcomes.kql'))
  hubMetrics(
    'Messages into the hub and out of it',
    eventHubNamespaceId,
    eventHubName,
    ['IncomingMessages', 'OutgoingMessages']
  )
]

var stuck = [
  text(
    'What is stuck?',
    'A partition that does not move on tries its batch again until it succeeds; the errors say why it does not. docs/operations.md has the meaning of every code, and what to do.'
  )
  table('Partitions', loadTextContent('../queries/workbook/partitions.kql'))
  table('Errors', loadTextContent('../queries/workbook/errors.kql'))
  table('Dead letters', loadTextContent('../queries/workbook/deadLetters.kql'))
  lines('Events that wait for segments', loadTextContent('../queries/workbook/parked.kql'))
  table('Warnings', loadTextContent('../queries/workbook/warnings.kql'))
  table('Values to look at', loadTextContent('../queries/workbook/values.kql'))
  table('Transactions, where they are tracked', loadTextContent('../queries/workbook/transactions.kql'))
  lines('Large values put and removed', loadTextContent('../queries/workbook/largeValues.kql'))
]

var heldUp = [
  text(
    'What holds it up?',
    'Slow batches at a Cosmos DB that is at its limit, or refuses requests, want more throughput. Many request units per message want changes of a row to arrive together: see `partition_key_scheme` in docs/operations.md.'
  )
  lines('Slowest batches and sweeps (s)', loadTextContent('../queries/workbook/durations.kql'))
  lines('Request units of the app', loadTextContent('../queries/workbook/requestUnits.kql'))
  cosmosMetric('Cosmos DB: throughput used (%)', cosmosAccountId, 'NormalizedRUConsumption', 'maximum', null)
  cosmosMetric('Cosmos DB: requests refused (429)', cosmosAccountId, 'TotalRequests', 'count', '429')
]
