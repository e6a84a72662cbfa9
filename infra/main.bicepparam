using 'main.bicep'

// What azd deploys. It takes the name from the environment (azd env new <name>; 4 to 20 lower-case letters, digits
// and hyphens), and the rest from what azd env set has put there. Paid for at rest: the throughput unit of the hub.

param name = readEnvironmentVariable('AZURE_ENV_NAME', 'replica')

param eventHub = {
  sku: 'Standard'
  partitions: int(readEnvironmentVariable('EVENT_HUB_PARTITIONS', '4'))
  retentionDays: 7
  capacity: 1
  allowKeys: bool(readEnvironmentVariable('EVENT_HUB_ALLOW_KEYS', 'false'))
}

param cosmos = { capacity: 'serverless' }

param app = {
  instanceMemoryMB: 2048
  maximumInstances: int(readEnvironmentVariable('EVENT_HUB_PARTITIONS', '4'))
}

param replica = {
  tombstoneDays: 14
  parkedHours: 24
}

param senderPrincipalId = readEnvironmentVariable('SENDER_PRINCIPAL_ID', '')

// Whoever runs azd may look after dead letters, too.
param operatorPrincipalId = readEnvironmentVariable('AZURE_PRINCIPAL_ID', '')
