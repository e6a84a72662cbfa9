// Written by "npm run generate" from src/settings/settingsCatalogue.ts.

@export()
@sealed()
type appSettings = {
  @description('the name of the event hub that CES publishes to, such as ces')
  EVENT_HUB_NAME: string

  @description('a consumer group that only this app reads, such as replica')
  EVENT_HUB_CONSUMER_GROUP: string

  @description('the namespace of the event hub, such as <namespace>.servicebus.windows.net, to connect with an identity')
  EventHub__fullyQualifiedNamespace: string

  @description('the URI of the Cosmos DB account, such as https://<account>.documents.azure.com:443/')
  COSMOS_ENDPOINT: string

  @description('the name of the database, replica by default')
  COSMOS_DATABASE: string?

  @description('the name of the container for replica items, rows by default')
  COSMOS_CONTAINER: string?

  @description('the Blob endpoint of the storage account, such as https://<account>.blob.core.windows.net, to connect with an identity')
  BLOB_ENDPOINT: string

  @description('the client id of the user-assigned identity, where the app has one')
  AZURE_CLIENT_ID: string?

  @description('a whole number from 0 to 9999, 0 by default; raise it when a source database was restored to an earlier state')
  REPLICA_EPOCH: string?

  @description('the retention of the event hub in days, from 1 to 90, 7 by default')
  HUB_RETENTION_DAYS: string?

  @description('how many days a deleted row is remembered, 8 by default and never less than HUB_RETENTION_DAYS')
  TOMBSTONE_DAYS: string?

  @description('how many hours an incomplete event waits for its missing segments, 24 by default and less than TOMBSTONE_DAYS')
  PARKED_HOURS: string?

  @description('the time a batch may take, from 5 to 3600 seconds, 120 by default and well below functionTimeout in host.json')
  BATCH_DEADLINE_SECONDS: string?

  @description('the connection string of an Application Insights resource, such as InstrumentationKey=<guid>;IngestionEndpoint=https://<region>.in.applicationinsights.azure.com/; without it nothing is reported')
  APPLICATIONINSIGHTS_CONNECTION_STRING: string?

  @description('ClientId=<client id of the identity>;Authorization=AAD, where Application Insights accepts identities only')
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: string?

  @description('per-table choices as a JSON document, or the path of a file with it')
  REPLICA_CONFIG: string?

  @description('off, which is the default; on, to track transactions and write a watermark; or on-with-order, to write the numbers of their changes as well')
  TRANSACTIONS: string?

  @description('the number of partitions of the event hub, from 1 to 2048; needed when TRANSACTIONS is on')
  HUB_PARTITIONS: string?

  @description('the time after which a silent partition is taken to hold nothing more of a transaction, from 1 to 86400 seconds, 120 by default')
  TRANSACTION_IDLE_SECONDS: string?

  @description('the name of the container for transactions and watermarks, transactions by default, another one than COSMOS_CONTAINER')
  COSMOS_TRANSACTIONS_CONTAINER: string?

  @description('the name of an event hub in the same namespace that BEGIN and END of each transaction are sent to, another one than EVENT_HUB_NAME; needs TRANSACTIONS, and one worker process an instance; without it nothing is sent')
  TRANSACTION_EVENTS_HUB: string?
}
