using 'main.bicep'

// For work: one instance is always warm, the way to everything but the hub is private, and what was published is kept.

param name = 'replica'

param eventHub = {
  sku: 'Standard'
  partitions: 16
  retentionDays: 7
  capacity: 1
  maximumCapacity: 10
  // Put the addresses here that your SQL Server publishes from.
  allowedIpRanges: ['203.0.113.0/29']
  capture: { keptDays: 30 }
}

param cosmos = {
  capacity: 'autoscale'
  maxThroughput: 10000
}

param app = {
  instanceMemoryMB: 2048
  maximumInstances: 16
  alwaysReady: { replicate: 1 }
}

param replica = {
  tombstoneDays: 14
  parkedHours: 48
}

param privateNetworking = true
