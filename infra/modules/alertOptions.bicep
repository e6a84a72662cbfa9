// Which alerts there are, and what they can be set to. Every alert is on, with its default, unless it says otherwise.

@export()
@sealed()
type AlertOptions = {
  @description('Addresses to tell. Without any, alerts are seen in the portal only.')
  emails: string[]

  @description('Where the team reads docs/operations.md: descriptions of alerts link to its sections.')
  runbooks: string?

  lag: LagOptions?
  noEvents: NoEventsOptions?
  notReporting: NotReportingOptions?
  deadLetters: DeadLetterOptions?
  oldestParked: OldestParkedOptions?
  failures: FailureOptions?
  throttled: ThrottledOptions?
  normalizedRu: NormalizedRuOptions?
}

@sealed()
type LagOptions = {
  enabled: bool?

  @description('A change arrived this long after its commit; 300 by default.')
  @minValue(1)
  seconds: int?
}

@sealed()
type NoEventsOptions = {
  enabled: bool?

  @description('No message for this long; 60 by default. Longer than the sources are ever quiet.')
  minutes: WindowMinutes?
}

@sealed()
type NotReportingOptions = {
  enabled: bool?

  @description('The app has reported nothing for this long, not even its timer; 30 by default.')
  minutes: 15 | 30 | 45 | 60 | 120?
}

@sealed()
type DeadLetterOptions = {
  enabled: bool?

  @description('More dead letters than this in a quarter of an hour; 0 by default.')
  @minValue(0)
  messages: int?
}

@sealed()
type OldestParkedOptions = {
  enabled: bool?

  @description('An event has waited this long for its other segments; 12 by default. Less than PARKED_HOURS.')
  @minValue(1)
  hours: int?
}

@sealed()
type FailureOptions = {
  enabled: bool?

  @description('More than this many of the last six spans of five minutes had failures; 3 by default.')
  @minValue(0)
  @maxValue(5)
  spans: int?
}

@sealed()
type ThrottledOptions = {
  enabled: bool?

  @description('Cosmos DB refused more requests than this with 429 in a quarter of an hour; 100 by default.')
  @minValue(0)
  requests: int?
}

@sealed()
type NormalizedRuOptions = {
  enabled: bool?

  @description('Normalized RU consumption over a quarter of an hour; 90 by default. It says little with serverless.')
  @minValue(1)
  @maxValue(99)
  percent: int?
}

@description('The windows that log search alerts can have.')
type WindowMinutes = 5 | 10 | 15 | 30 | 45 | 60 | 120 | 180 | 240 | 300 | 360 | 1440
