import { blobContainers } from '../../src/settings/blobContainers.ts';
import { readSettings } from '../../src/settings/readSettings.ts';
import { type SettingName, settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { type BlobServer, startBlobServer } from '../servers/blobServer.ts';
import { type CosmosServer, startCosmosServer } from '../servers/cosmosServer.ts';
import { createContainers } from '../servers/createContainers.ts';

/** Cosmos DB and Blob storage of one run, empty at its start, and the app settings that lead to them. */
export interface LocalServers {
  readonly cosmos: CosmosServer;
  readonly blob: BlobServer;
  readonly settings: Readonly<Record<SettingOfServers, string>>;
  /** Cosmos DB containers that `REPLICA_CONFIG` names besides `COSMOS_CONTAINER`. */
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
 * @param choices settings in place of the examples, such as `REPLICA_CONFIG`: the containers it names are created.
 * @throws ConfigurationError for a choice that the function app would not start with.
 */
export async function startLocalServers(
  wellKnownPorts: boolean,
  choices: Readonly<Partial<Record<SettingName, string>>> = {},
): Promise<LocalServers> {
  const { rules, cosmos: named, transactions } = readSettings({ ...examples, ...choices });
  const otherContainers = rules.containers.filter((name) => name !== named.container);
  const ports = wellKnownPorts ? WELL_KNOWN_PORTS : undefined;
  const cosmos = await onPort(ports?.cosmos, startCosmosServer);
  const blob = await onPort(ports?.blob, startBlobServer).catch(async (error: unknown) => {
    await cosmos.close();
    throw error;
  });
  const names = { database: examples.COSMOS_DATABASE, container: examples.COSMOS_CONTAINER };
  await createContainers(cosmos, blob, {
    ...names,
    ...blobContainers,
    others: otherContainers,
    transactions: transactions?.container,
  });
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
    environment: { ...examples, ...choices, ...settings, BATCH_DEADLINE_SECONDS: String(BATCH_DEADLINE_S) },
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
