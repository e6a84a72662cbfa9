import { CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos';
import { BlobServiceClient } from '@azure/storage-blob';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import type { BlobServer } from './blobServer.ts';
import type { CosmosServer } from './cosmosServer.ts';

/** Names of what the infrastructure templates create in Azure. */
export interface ContainerNames {
  /** Cosmos DB database. */
  readonly database: string;
  /** Cosmos DB container of the replica. */
  readonly container: string;
  /** Cosmos DB containers that `REPLICA_CONFIG` names besides. */
  readonly others?: readonly string[];
  /** Cosmos DB container of transactions; none unless given. */
  readonly transactions?: string | undefined;
  /** Blob container of parked segments; `parked` unless given. */
  readonly parked?: string;
  /** Blob container of dead letters; `dead-letters` unless given. */
  readonly deadLetters?: string;
  /** Blob container of large values; `large-values` unless given. */
  readonly largeValues?: string;
}

/** Keeps items for ever unless they carry their own `ttl`. */
const TTL_ON_WITHOUT_DEFAULT = -1;

/** Creates what is missing of the replica's containers and the Blob containers, as in Azure. */
export async function createContainers(
  cosmos: Pick<CosmosServer, 'endpoint' | 'key'>,
  blob: Pick<BlobServer, 'connectionString'>,
  names: ContainerNames,
): Promise<void> {
  await createReplicaContainers(cosmos, names);
  const blobs = BlobServiceClient.fromConnectionString(blob.connectionString);
  const { parked, deadLetters, largeValues } = { ...blobContainers, ...names };
  for (const name of [parked, deadLetters, largeValues])
    await blobs.getContainerClient(name).createIfNotExists();
}

async function createReplicaContainers(
  { endpoint, key }: Pick<CosmosServer, 'endpoint' | 'key'>,
  { database, container, others = [], transactions }: ContainerNames,
): Promise<void> {
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } });
  try {
    const created = await client.databases.createIfNotExists({ id: database });
    for (const id of [container, ...others, ...(transactions === undefined ? [] : [transactions])]) {
      await created.database.containers.createIfNotExists({
        id,
        partitionKey: {
          paths: ['/pkkey'],
          kind: PartitionKeyKind.Hash,
          version: PartitionKeyDefinitionVersion.V2,
        },
        defaultTtl: TTL_ON_WITHOUT_DEFAULT,
      });
    }
  } finally {
    client.dispose();
  }
}
