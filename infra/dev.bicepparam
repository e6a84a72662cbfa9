using 'main.bicep'

// To try the replica out: next to nothing is paid for at rest. Copy it to mine.bicepparam and change that.

param name = 'replica-dev'

param eventHub = {
  sku: 'Standard'
  partitions: 4
  retentionDays: 1
  capacity: 1
  // For sources that have no identity, such as SQL database in Fabric:
  // allowKeys: true
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

// Object id of the identity that the SQL server signs in with:
// param senderPrincipalId = '<object id>'

// Object id of who looks after dead letters with npm run ops:
// param operatorPrincipalId = '<object id>'

// Who is told when something needs a person:
// param alerts = { emails: ['<address>'] }
