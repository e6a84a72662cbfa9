// Which alerts there are, and what they can be set to. Every alert is on, with its default, unless it says otherwise.

@export()
@sealed()
type alertOptions = {
  @description('Addresses to tell. Without any, alerts are seen in the portal only.')
  emails: string[]

  @description('Where the team reads docs/operations.md: descriptions of alerts link to its sections.')
  runbooks: string?

  lag: lagOptions?
  noEvents: noEventsOptions?
  notReporting: notReportingOptions?
  deadLetters: deadLetterOptions?
  oldestParked: oldestParkedOptions?
  failures: failureOptions?
  throttled: throttledOptions?
  normalizedRu: normalizedRuOptions?
}

@sealed()
type lagOptions = {
  enabled: bool?

  @description('A change arrived this long after its commit; 300 by default.')
  @minValue(1)
  seconds: int?
}

@sealed()
type noEventsOptions = {
  enabled: bool?

  @description('No message for this long; 60 by default. Longer than the sources are ever quiet.')
  minutes: windowMinutes?
}

@sealed()
type notReportingOptions = {
  enabled: bool?

  @description('The app has reported nothing for this long, not even its timer; 30 by default.')
  minutes: 15 | 30 | 45 | 60 | 120?
}

@sealed()
type deadLetterOptions = {
  enabled: bool?

  @description('More dead letters than this in a quarter of an hour; 0 by default.')
  @minValue(0)
  messages: int?
}

@sealed()
type oldestParkedOptions = {
  enabled: bool?

  @description('An event has waited this long for its other segments; by default half of the time after which it is given up.')
  @minValue(1)
  hours: int?
}

@sealed()
type failureOptions = {
  enabled: bool?

  @description('More than this many of the last six spans of five minutes had failures; 3 by default.')
  @minValue(0)
  @maxValue(5)
  spans: int?
}

@sealed()
type throttledOptions = {
  enabled: bool?

  @description('Cosmos DB refused more requests than this with 429 in a quarter of an hour; 100 by default.')
  @minValue(0)
  requests: int?
}

@sealed()
type normalizedRuOptions = {
  enabled: bool?

  @description('Normalized RU consumption over a quarter of an hour; 90 by default. It says little with serverless.')
  @minValue(1)
  @maxValue(99)
  percent: int?
}

@description('The windows that log search alerts can have.')
type windowMinutes = 5 | 10 | 15 | 30 | 45 | 60 | 120 | 180 | 240 | 300 | 360 | 1440
