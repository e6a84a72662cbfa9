using 'main.bicep'

// To try the replica out: next to nothing is paid for at rest, and a source may use a key.

param name = 'replica-dev'

param eventHub = {
  sku: 'Standard'
  partitions: 4
  retentionDays: 1
  capacity: 1
  allowKeys: true
}

param cosmos = { capacity: 'serverless' }

param app = {
  instanceMemoryMB: 2048
  maximumInstances: 4
}

param replica = {
  tombstoneDays: 2
  parkedHours: 6
}
