import { createHash } from 'node:crypto';
import { CosmosClient, type CosmosClientOptions, type Database } from '@azure/cosmos';
import { DefaultAzureCredential } from '@azure/identity';
import { BlobServiceClient, type StoragePipelineOptions } from '@azure/storage-blob';
import { BlobDeadLetterArchive } from './deadletter/blobDeadLetterArchive.ts';
import { BlobDeadLetters } from './deadletter/blobDeadLetters.ts';
import type { DeadLetterArchive } from './deadletter/deadLetterArchive.ts';
import { ConfigurationError } from './errors/configurationError.ts';
import {
  BLOB_RETRY_FIRST_MS,
  BLOB_RETRY_LONGEST_MS,
  BLOB_TRIES,
  COSMOS_REQUEST_TIMEOUT_MS,
  REMEMBERED_EVENTS,
  REMEMBERED_ITEM_BYTES,
} from './limits.ts';
import { BlobParking } from './parking/blobParking.ts';
import { RecentEvents } from './parking/recentEvents.ts';
import { BlobLargeValues } from './replica/blobLargeValues.ts';
import { ContainerIdentity } from './replica/containerIdentity.ts';
import { CosmosStore } from './replica/cosmosStore.ts';
import { RecentItems } from './replica/recentItems.ts';
import type { Services } from './services.ts';
import { blobContainers } from './settings/blobContainers.ts';
import type { Settings, TransactionSettings } from './settings/readSettings.ts';
import { settingsCatalogue } from './settings/settingsCatalogue.ts';
import { silentTelemetry } from './telemetry/silentTelemetry.ts';
import { BoundaryOutbox } from './transactions/boundaryOutbox.ts';
import { CosmosProgressStore } from './transactions/cosmosProgressStore.ts';
import { Tracking } from './transactions/tracking.ts';
import { Watch } from './warnings/watch.ts';

/** Connects the pipeline to Cosmos DB and Blob storage. Nothing is sent before the first batch. */
export function createServices(settings: Settings): Services {
  const { database, container } = settings.cosmos;
  const { rules, transactions } = settings;
  const cosmos = new CosmosClient(cosmosOptions(settings)).database(database);
  const rows = cosmos.container(container);
  const others = new Map(rules.containers.map((name) => [name, cosmos.container(name)]));
  const identities = [
    new ContainerIdentity(rows),
    ...[...others.values()]
      .filter(({ id }) => id !== container)
      .map((one) => new ContainerIdentity(one, 'REPLICA_CONFIG')),
  ];
  const tracked = transactions === undefined ? [] : [cosmos.container(transactions.container)];
  const trackedIdentities = tracked.map((one) => new ContainerIdentity(one, 'COSMOS_TRANSACTIONS_CONTAINER'));
  const resourceIds = () => Promise.all(identities.map((identity) => identity.resourceId()));
  // With another epoch changes have other versions, and an event that was applied has to be applied again.
  const replica = async (): Promise<string> => replicaName(await resourceIds(), rules.epochs);
  const blobs = blobService(settings);
  return {
    ready: async () => {
      await resourceIds();
      await Promise.all(trackedIdentities.map((identity) => identity.resourceId()));
    },
    store: new CosmosStore(rows, others),
    largeValues: new BlobLargeValues(blobs.getContainerClient(blobContainers.largeValues)),
    parking: new BlobParking(blobs.getContainerClient(blobContainers.parked), replica),
    deadLetters: new BlobDeadLetters(blobs.getContainerClient(blobContainers.deadLetters)),
    recentEvents: new RecentEvents(REMEMBERED_EVENTS),
    recentItems: new RecentItems(REMEMBERED_ITEM_BYTES),
    settings,
    watch: new Watch(),
    telemetry: silentTelemetry,
    ...(transactions !== undefined && trackingOf(transactions, settings, cosmos)),
  };
}

function trackingOf(
  { container, partitions, idleSeconds, withOrder, eventsHub }: TransactionSettings,
  { tombstoneSeconds }: Settings,
  cosmos: Database,
): Required<Pick<Services, 'tracking' | 'boundaries'>> {
  const store = new CosmosProgressStore(cosmos.container(container));
  const tracking = new Tracking(store, {
    partitions,
    idleMs: idleSeconds * 1000,
    withOrder,
    ttlSeconds: tombstoneSeconds,
    sendsBoundaries: eventsHub !== undefined,
  });
  return { tracking, boundaries: eventsHub === undefined ? undefined : new BoundaryOutbox(tracking) };
}

/** Another name when a container is made anew, or an epoch is raised. A header holds it, so it is ASCII. */
function replicaName(resourceIds: readonly string[], epochs: string): string {
  const parts = [...resourceIds, epochs];
  const plain = resourceIds.length === 1 && /^\d+$/.test(epochs);
  return plain ? parts.join('-') : createHash('sha256').update(parts.join()).digest('hex');
}

/** Connects an operator to the dead letters; who waits at a terminal is told of an outage soon. */
export function createDeadLetterArchive(settings: Settings): DeadLetterArchive {
  const blobs = blobService(settings, { retryOptions: { maxTries: 2, retryDelayInMs: 500 } });
  return new BlobDeadLetterArchive(blobs.getContainerClient(blobContainers.deadLetters));
}

function cosmosOptions(settings: Settings): CosmosClientOptions {
  const { endpoint, key } = settings.cosmos;
  return {
    endpoint,
    ...(key === undefined ? { aadCredentials: credential(settings) } : { key }),
    // Emulators announce addresses that are not theirs.
    connectionPolicy: {
      enableEndpointDiscovery: !isLoopback(endpoint),
      requestTimeout: COSMOS_REQUEST_TIMEOUT_MS,
    },
  };
}

/** The SDK's own choice, 4 s before the second repetition and up to 2 min later, outlasts a batch. */
const blobOptions: StoragePipelineOptions = {
  retryOptions: {
    maxTries: BLOB_TRIES,
    retryDelayInMs: BLOB_RETRY_FIRST_MS,
    maxRetryDelayInMs: BLOB_RETRY_LONGEST_MS,
  },
};

function blobService(settings: Settings, options = blobOptions): BlobServiceClient {
  const { blob } = settings;
  switch (blob.kind) {
    case 'identity':
      return new BlobServiceClient(blob.endpoint, credential(settings), options);
    case 'connectionString':
      return fromConnectionString(blob.connectionString, options);
    default:
      return blob satisfies never;
  }
}

function fromConnectionString(connectionString: string, options: StoragePipelineOptions): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connectionString, options);
  } catch {
    // The SDK's own complaint names no setting and may quote a key.
    const { put } = settingsCatalogue.BLOB_CONNECTION_STRING;
    throw new ConfigurationError(`BLOB_CONNECTION_STRING is not a connection string: put there ${put}`);
  }
}

function credential({ clientId }: Settings): DefaultAzureCredential {
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}

function isLoopback(endpoint: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}
