// What a person decides about a deployment. A value that cannot work is refused here, where it is written, wherever
// that can be said of it alone; what must agree with something else is in rules.bicep.
import { replicaConfig } from 'generated/replicaConfig.bicep'

@export()
@discriminator('sku')
@description('The hub that CES publishes to. Basic has no Kafka endpoint and no consumer group of one\'s own.')
type eventHubOptions = standardEventHub | premiumEventHub

@sealed()
type standardEventHub = {
  sku: 'Standard'

  @description('Cannot be changed later. The most instances that can work at once.')
  @minValue(1)
  @maxValue(32)
  partitions: int

  @minValue(1)
  @maxValue(7)
  retentionDays: int

  @description('Throughput units: 1 MB or 1,000 messages a second in, twice as much out.')
  @minValue(1)
  @maxValue(40)
  capacity: int

  @description('Throughput units that the namespace may grow to by itself. Left out: it stays as it is.')
  @minValue(1)
  @maxValue(40)
  maximumCapacity: int?

  allowKeys: allowKeys?
  allowedIpRanges: allowedIpRanges?
  capture: captureOptions?
}

@sealed()
type premiumEventHub = {
  sku: 'Premium'

  @description('Can be raised later. The most instances that can work at once.')
  @minValue(1)
  @maxValue(100)
  partitions: int

  @minValue(1)
  @maxValue(90)
  retentionDays: int

  @description('Processing units.')
  capacity: 1 | 2 | 4 | 6 | 8 | 10 | 12 | 16

  allowKeys: allowKeys?
  allowedIpRanges: allowedIpRanges?
  capture: captureOptions?
}

@description('For CES sources that cannot use an identity: a key that can send to the hub and nothing else.')
type allowKeys = bool

@description('Where CES publishes from, as IPv4 addresses or CIDR ranges. Only with privateNetworking, and needed there.')
type allowedIpRanges = string[]

@description('Keeps everything that was published as Avro files in the container capture.')
@sealed()
type captureOptions = {
  @description('Days after which a file is deleted.')
  @minValue(1)
  @maxValue(36500)
  keptDays: int
}

@export()
@discriminator('capacity')
type cosmosOptions = serverlessCosmos | autoscaleCosmos

@description('Paid by request: for a replica that rests most of the time. At most 5,000 request units a second at the start.')
@sealed()
type serverlessCosmos = {
  capacity: 'serverless'
  indexedPaths: indexedPaths?
}

@description('A tenth of the highest throughput is paid even at rest; no request waits as long as it is enough.')
@sealed()
type autoscaleCosmos = {
  capacity: 'autoscale'

  @description('Request units a second, in thousands.')
  @minValue(1000)
  @maxValue(1000000)
  maxThroughput: int

  indexedPaths: indexedPaths?
}

@description('What else queries look for, such as /row/customer_id/? or /key/*. Every path makes every write dearer.')
type indexedPaths = string[]

@export()
@sealed()
type appOptions = {
  instanceMemoryMB: 512 | 2048 | 4096

  @description('Instances per function; more than the hub has partitions would have nothing to do.')
  @minValue(1)
  @maxValue(1000)
  maximumInstances: int

  alwaysReady: alwaysReady?
}

@sealed()
@description('Instances that are kept warm, and paid for at rest, by function.')
type alwaysReady = {
  @minValue(0)
  @maxValue(1000)
  replicate: int?

  @description('There is never more than one sweep at a time.')
  @minValue(0)
  @maxValue(1)
  sweep: int?
}

@export()
@sealed()
type replicaOptions = {
  @description('Days that a deleted row is remembered; longer than the retention of the hub.')
  @minValue(1)
  @maxValue(3650)
  tombstoneDays: int

  @description('Hours that an incomplete event waits for its missing segments; shorter than tombstoneDays.')
  @minValue(1)
  parkedHours: int

  @description('Raised when a source database was restored to an earlier state: see docs/operations.md.')
  @minValue(0)
  @maxValue(9999)
  epoch: int?

  @description('Seconds that a batch may take; well below functionTimeout in host.json, which ends the process.')
  @minValue(5)
  @maxValue(240)
  batchDeadlineSeconds: int?

  @description('Days after which a dead letter is deleted. Left out: it is kept until somebody replays or discards it.')
  @minValue(1)
  @maxValue(36500)
  deadLetterDays: int?

  @description('Per-table choices.')
  config: replicaConfig?

  @description('Tracking of transactions and the watermark: see docs/transactions.md. Left out: off, at no cost.')
  transactions: transactionOptions?
}

@sealed()
type transactionOptions = {
  @description('Write the numbers of the changes of each table as well, also into the rows: one more read and write for each.')
  withOrder: bool?

  @description('Seconds of silence after which a partition is taken to hold nothing more of a transaction.')
  @minValue(1)
  @maxValue(86400)
  idleSeconds: int?

  @description('Send BEGIN and END of each transaction, in the shape of Debezium, to a hub of the namespace called transactions.')
  eventsHub: bool?
}

@export()
@description('Put on every resource.')
type tags = {
  *: string
}
