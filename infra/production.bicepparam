using 'main.bicep'

// For work: one instance is always warm, the way to everything but the hub is private, and what was published is kept.
// Copy it to mine.bicepparam and change that.

param name = 'replica'

param eventHub = {
  sku: 'Standard'
  partitions: 16
  retentionDays: 7
  capacity: 1
  maximumCapacity: 10
  // Needed: the addresses that your SQL Server publishes from, such as '<address>' or '<address>/29'. See docs/deploy.md.
  allowedIpRanges: []
  // For sources that have no identity, such as SQL database in Fabric:
  // allowKeys: true
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

// Object id of the identity that the SQL server signs in with:
// param senderPrincipalId = '<object id>'

// Object id of who looks after dead letters with npm run ops:
// param operatorPrincipalId = '<object id>'

// Who is told when something needs a person:
// param alerts = { emails: ['<address>'] }
