/**
 * Every app setting that the app reads, in the order of the README. `example` is a value for local use with
 * embedded servers. A `secret` is for places without identities, where it is set instead of another setting or of
 * none; `infra` never sets one, but can let MASK_SALT refer to a key vault.
 */
export const settingsCatalogue = {
  EVENT_HUB_NAME: {
    required: true,
    put: 'the name of the event hub that CES publishes to, such as ces',
    example: 'ces',
  },
  EVENT_HUB_CONSUMER_GROUP: {
    required: true,
    put: 'a consumer group that only this app reads, such as replica',
    example: '$Default',
  },
  EventHub__fullyQualifiedNamespace: {
    required: false,
    put: 'the namespace of the event hub, such as <namespace>.servicebus.windows.net, to connect with an identity',
    example: '',
  },
  EventHub: {
    required: false,
    secret: true,
    insteadOf: 'EventHub__fullyQualifiedNamespace',
    put: 'a connection string of the event hub, instead of EventHub__fullyQualifiedNamespace',
    example:
      'Endpoint=sb://localhost;SharedAccessKeyName=local;SharedAccessKey=local;UseDevelopmentEmulator=true;',
  },
  COSMOS_ENDPOINT: {
    required: true,
    put: 'the URI of the Cosmos DB account, such as https://<account>.documents.azure.com:443/',
    example: 'http://127.0.0.1:8081',
  },
  COSMOS_KEY: {
    required: false,
    secret: true,
    put: 'a key of the Cosmos DB account; without it the app connects with an identity',
    example: 'ZHVtbXk=',
  },
  COSMOS_DATABASE: {
    required: false,
    put: 'the name of the database, replica by default',
    example: 'replica',
  },
  COSMOS_CONTAINER: {
    required: false,
    put: 'the name of the container for replica items, rows by default',
    example: 'rows',
  },
  BLOB_ENDPOINT: {
    required: false,
    put: 'the Blob endpoint of the storage account, such as https://<account>.blob.core.windows.net, to connect with an identity',
    example: '',
  },
  BLOB_CONNECTION_STRING: {
    required: false,
    secret: true,
    insteadOf: 'BLOB_ENDPOINT',
    put: 'a connection string of the storage account, instead of BLOB_ENDPOINT',
    example: 'UseDevelopmentStorage=true',
  },
  AZURE_CLIENT_ID: {
    required: false,
    put: 'the client id of the user-assigned identity, where the app has one',
    example: '',
  },
  REPLICA_EPOCH: {
    required: false,
    put: 'a whole number from 0 to 9999, 0 by default; raise it when a source database was restored to an earlier state',
    example: '0',
  },
  HUB_RETENTION_DAYS: {
    required: false,
    put: 'the retention of the event hub in days, from 1 to 90, 7 by default',
    example: '7',
  },
  TOMBSTONE_DAYS: {
    required: false,
    put: 'how many days a deleted row is remembered, 8 by default and never less than HUB_RETENTION_DAYS',
    example: '8',
  },
  PARKED_HOURS: {
    required: false,
    put: 'how many hours an incomplete event waits for its missing segments, 24 by default and less than TOMBSTONE_DAYS',
    example: '24',
  },
  BATCH_DEADLINE_SECONDS: {
    required: false,
    put: 'the time a batch may take, from 5 to 3600 seconds, 120 by default and well below functionTimeout in host.json',
    example: '120',
  },
  APPLICATIONINSIGHTS_CONNECTION_STRING: {
    required: false,
    put: 'the connection string of an Application Insights resource, such as InstrumentationKey=<guid>;IngestionEndpoint=https://<region>.in.applicationinsights.azure.com/; without it nothing is reported',
    example: '',
  },
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: {
    required: false,
    put: 'ClientId=<client id of the identity>;Authorization=AAD, where Application Insights accepts identities only',
    example: '',
  },
  REPLICA_CONFIG: {
    required: false,
    put: 'per-table choices as a JSON document, or the path of a file with it',
    example: '{"tables":{}}',
  },
  MASK_SALT: {
    required: false,
    secret: true,
    put: 'a secret of 16 characters or more that hashed values are made with; needed when REPLICA_CONFIG masks columns, and never to be changed',
    example: '',
  },
  TRANSACTIONS: {
    required: false,
    put: 'off, which is the default; on, to track transactions and write a watermark; or on-with-order, to write the numbers of their changes as well',
    example: 'off',
  },
  HUB_PARTITIONS: {
    required: false,
    put: 'the number of partitions of the event hub, from 1 to 2048; needed when TRANSACTIONS is on',
    example: '4',
  },
  TRANSACTION_IDLE_SECONDS: {
    required: false,
    put: 'the time after which a silent partition is taken to hold nothing more of a transaction, from 1 to 86400 seconds, 120 by default',
    example: '120',
  },
  COSMOS_TRANSACTIONS_CONTAINER: {
    required: false,
    put: 'the name of the container for transactions and watermarks, transactions by default, another one than COSMOS_CONTAINER',
    example: 'transactions',
  },
  TRANSACTION_EVENTS_HUB: {
    required: false,
    put: 'the name of an event hub in the same namespace that BEGIN and END of each transaction are sent to, another one than EVENT_HUB_NAME; needs TRANSACTIONS, and one worker process an instance; without it nothing is sent',
    example: '',
  },
} as const satisfies Record<string, Setting>;

export interface Setting {
  readonly required: boolean;
  readonly secret?: true;
  readonly insteadOf?: string;
  readonly put: string;
  readonly example: string;
}

export type SettingName = keyof typeof settingsCatalogue;
