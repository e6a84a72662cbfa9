import { blobContainers } from '../../src/settings/blobContainers.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { type BlobServer, startBlobServer } from '../servers/blobServer.ts';
import { type CosmosServer, startCosmosServer } from '../servers/cosmosServer.ts';
import { createContainers } from '../servers/createContainers.ts';
import type { Choices } from './choices.ts';

/** Cosmos DB and Blob storage of one run, empty at its start, and the app settings that lead to them. */
export interface LocalServers {
  readonly cosmos: CosmosServer;
  readonly blob: BlobServer;
  readonly settings: Readonly<Record<SettingOfServers, string>>;
  /** Containers of the replica besides COSMOS_CONTAINER. */
  readonly otherContainers: readonly string[];
  /** Everything the function app needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends both servers; their data goes with them. */
  close(): Promise<void>;
}

export type SettingOfServers =
  | 'COSMOS_ENDPOINT'
  | 'COSMOS_KEY'
  | 'COSMOS_DATABASE'
  | 'COSMOS_CONTAINER'
  | 'BLOB_CONNECTION_STRING';

/** Ports where the examples of the settings expect the servers. */
export const WELL_KNOWN_PORTS = { cosmos: 8081, blob: 10_000 } as const;

/** Time one batch may take here, in seconds: memory answers fast, and nobody wants to wait for two minutes. */
const BATCH_DEADLINE_S = 30;

/**
 * @param wellKnownPorts use {@link WELL_KNOWN_PORTS} where they are free; any free port otherwise.
 * @param choices per-table choices of the app; none by default.
 */
export async function startLocalServers(wellKnownPorts: boolean, choices?: Choices): Promise<LocalServers> {
  const ports = wellKnownPorts ? WELL_KNOWN_PORTS : undefined;
  const cosmos = await onPort(ports?.cosmos, startCosmosServer);
  const blob = await onPort(ports?.blob, startBlobServer).catch(async (error: unknown) => {
    await cosmos.close();
    throw error;
  });
  const otherContainers = choices?.settings.rules.containers ?? [];
  const names = { database: examples.COSMOS_DATABASE, container: examples.COSMOS_CONTAINER };
  await createContainers(cosmos, blob, { ...names, ...blobContainers, others: otherContainers });
  const settings = {
    COSMOS_ENDPOINT: cosmos.endpoint,
    COSMOS_KEY: cosmos.key,
    COSMOS_DATABASE: names.database,
    COSMOS_CONTAINER: names.container,
    BLOB_CONNECTION_STRING: blob.connectionString,
  };
  return {
    cosmos,
    blob,
    settings,
    otherContainers,
    environment: {
      ...examples,
      ...settings,
      ...choices?.environment,
      BATCH_DEADLINE_SECONDS: String(BATCH_DEADLINE_S),
    },
    close: async () => {
      await Promise.all([cosmos.close(), blob.close()]);
    },
  };
}

type ExampleSettings = Readonly<Record<keyof typeof settingsCatalogue, string>>;

const examples = Object.fromEntries(
  Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]),
) as ExampleSettings;

async function onPort<T>(
  port: number | undefined,
  start: (options: { readonly port?: number }) => Promise<T>,
): Promise<T> {
  if (port === undefined) return start({});
  try {
    return await start({ port });
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    return start({});
  }
}

function isPortTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' || code === 'EACCES';
}
