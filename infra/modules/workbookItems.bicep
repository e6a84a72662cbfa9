// The building blocks of a workbook, in the form that Azure Monitor stores them.

@export()
@description('The time range that all other items show.')
var timeRange = {
  type: 9
  name: 'Time range'
  content: {
    version: 'KqlParameterItem/1.0'
    style: 'pills'
    queryType: 0
    resourceType: 'microsoft.insights/components'
    parameters: [
      {
        id: guid('TimeRange')
        version: 'KqlParameterItem/1.0'
        name: 'TimeRange'
        label: 'Time range'
        type: 4
        isRequired: true
        value: { durationMs: 24 * hour }
        typeSettings: {
          selectableValues: map([1, 4, 24, 72, 168, 720], hours => { durationMs: hours * hour })
          allowCustom: true
        }
      }
    ]
  }
}

@export()
func text(title string, body string) textItem => {
  type: 1
  name: title
  content: { json: '## ${title}\n\n${body}' }
}

@export()
@description('Rows of what the app reports, over the whole width.')
func wideTable(title string, query string) queryItem => logs(title, query, 'table', '100')

@export()
func table(title string, query string) queryItem => logs(title, query, 'table', '50')

@export()
func lines(title string, query string) queryItem => logs(title, query, 'linechart', '50')

@export()
func bars(title string, query string) queryItem => logs(title, query, 'barchart', '50')

@description('A query in the telemetry of the workbook\'s own component.')
func logs(title string, query string, visualization string, width string) queryItem => {
  type: 3
  name: title
  customWidth: width
  content: {
    version: 'KqlItem/1.0'
    title: title
    query: query
    size: 0
    queryType: 0
    resourceType: 'microsoft.insights/components'
    timeContextFromParameter: 'TimeRange'
    visualization: visualization
    noDataMessage: 'Nothing in this time range.'
  }
}

@export()
@description('Lines of what Event Hubs measures about one hub.')
func hubMetrics(title string, namespaceId string, hub string, metrics string[]) metricsItem =>
  platformMetrics(
    title,
    'microsoft.eventhub/namespaces',
    namespaceId,
    map(metrics, metric => {
      namespace: 'microsoft.eventhub/namespaces'
      metric: 'microsoft.eventhub/namespaces--${metric}'
      aggregation: aggregations.sum
    }),
    [{ id: '1', key: 'EntityName', operator: 0, values: [hub] }]
  )

@export()
@description('A line for each container of what Cosmos DB measures; of requests with one status only, where it is given.')
func cosmosMetric(title string, accountId string, metric string, aggregation aggregationName, status string?) metricsItem =>
  platformMetrics(
    title,
    'microsoft.documentdb/databaseaccounts',
    accountId,
    [
      {
        namespace: 'microsoft.documentdb/databaseaccounts'
        metric: 'microsoft.documentdb/databaseaccounts-Requests-${metric}'
        aggregation: aggregations[aggregation]
        splitBy: 'CollectionName'
      }
    ],
    status == null ? [] : [{ id: '1', key: 'StatusCode', operator: 0, values: [status] }]
  )

func platformMetrics(title string, type string, resource string, metrics metricLine[], filters metricFilter[]) metricsItem => {
  type: 10
  name: title
  customWidth: '50'
  content: {
    version: 'MetricsItem/2.0'
    chartId: guid(title)
    title: title
    size: 0
    chartType: 2
    metricScope: 0
    resourceType: type
    resourceIds: [resource]
    timeContextFromParameter: 'TimeRange'
    timeContext: { durationMs: 24 * hour }
    metrics: metrics
    filters: filters
    gridSettings: { rowLimit: 10000 }
  }
}

@description('In milliseconds.')
var hour = 3600000

@description('How workbooks number them.')
var aggregations = {
  sum: 1
  maximum: 3
  count: 7
}

type aggregationName = 'sum' | 'maximum' | 'count'

@sealed()
type textItem = {
  type: 1
  name: string
  content: { json: string }
}

@sealed()
type queryItem = {
  type: 3
  name: string
  customWidth: string
  content: {
    version: 'KqlItem/1.0'
    title: string
    query: string
    size: int
    queryType: 0
    resourceType: 'microsoft.insights/components'
    timeContextFromParameter: 'TimeRange'
    visualization: string
    noDataMessage: string
  }
}

@sealed()
type metricsItem = {
  type: 10
  name: string
  customWidth: string
  content: {
    version: 'MetricsItem/2.0'
    chartId: string
    title: string
    size: int
    chartType: int
    metricScope: int
    resourceType: string
    resourceIds: string[]
    timeContextFromParameter: 'TimeRange'
    timeContext: { durationMs: int }
    metrics: metricLine[]
    filters: metricFilter[]
    gridSettings: { rowLimit: int }
  }
}

@sealed()
type metricLine = {
  namespace: string
  metric: string
  aggregation: int
  splitBy: string?
}

@sealed()
type metricFilter = {
  id: string
  key: string
  operator: 0
  values: string[]
}
