import { CosmosClient, type CosmosClientOptions } from '@azure/cosmos';
import { DefaultAzureCredential } from '@azure/identity';
import { BlobServiceClient } from '@azure/storage-blob';
import { BlobDeadLetters } from './deadletter/blobDeadLetters.ts';
import { REMEMBERED_EVENTS } from './limits.ts';
import { BlobParking } from './parking/blobParking.ts';
import { RecentEvents } from './parking/recentEvents.ts';
import { CosmosStore } from './replica/cosmosStore.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings/readSettings.ts';
import { silentTelemetry } from './telemetry/silentTelemetry.ts';
import { Watch } from './warnings/watch.ts';

/** Names of the Blob containers; the infrastructure creates them, the app never does. */
const PARKED_CONTAINER = 'parked';
const DEAD_LETTER_CONTAINER = 'dead-letters';

/** Connects the pipeline to Cosmos DB and Blob storage. Nothing is sent before the first batch. */
export function createServices(settings: Settings): Services {
  const { database, container } = settings.cosmos;
  const rows = new CosmosClient(cosmosOptions(settings)).database(database).container(container);
  const blobs = blobService(settings);
  return {
    store: new CosmosStore(rows),
    parking: new BlobParking(blobs.getContainerClient(PARKED_CONTAINER)),
    deadLetters: new BlobDeadLetters(blobs.getContainerClient(DEAD_LETTER_CONTAINER)),
    recentEvents: new RecentEvents(REMEMBERED_EVENTS),
    settings,
    watch: new Watch(),
    telemetry: silentTelemetry,
  };
}

function cosmosOptions(settings: Settings): CosmosClientOptions {
  const { endpoint, key } = settings.cosmos;
  return {
    endpoint,
    ...(key === undefined ? { aadCredentials: credential(settings) } : { key }),
    // Emulators announce addresses that are not theirs.
    connectionPolicy: { enableEndpointDiscovery: !isLoopback(endpoint) },
  };
}

function blobService(settings: Settings): BlobServiceClient {
  const { blob } = settings;
  switch (blob.kind) {
    case 'identity':
      return new BlobServiceClient(blob.endpoint, credential(settings));
    case 'connectionString':
      return BlobServiceClient.fromConnectionString(blob.connectionString);
    default:
      return blob satisfies never;
  }
}

function credential({ clientId }: Settings): DefaultAzureCredential {
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}

function isLoopback(endpoint: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}
