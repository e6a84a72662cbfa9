import type { Server } from 'node:http';
import { createRequire } from 'node:module';

/** The part of Azurite's server object that is used here; the package carries no type declarations. */
export interface Azurite {
  readonly httpServer: Server;
  start(): Promise<void>;
  /** Only allowed once started. */
  close(): Promise<void>;
  /** Stops the background work; the last step of `close`. */
  afterClose(): Promise<void>;
}

/** The account every storage emulator answers to. Published by Microsoft, not a secret. */
export const DEVELOPMENT_ACCOUNT = {
  name: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
} as const;

/** Bytes of blob content held before uploads are refused. */
const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
/** Seconds a connection may stay idle. */
const KEEP_ALIVE_S = 5;

/**
 * A Blob service that is not started yet: in memory, no access log, no debug log. Telemetry is switched on by
 * Azurite's own command line only, so none is sent from here.
 */
export function createAzurite(host: string, port: number): Azurite {
  const require = createRequire(import.meta.url);
  const {
    default: BlobConfiguration,
  }: { default: BlobConfigurationClass } = require('azurite/dist/src/blob/BlobConfiguration');
  const { default: BlobServer }: { default: BlobServerClass } = require('azurite/dist/src/blob/BlobServer');
  const {
    MemoryExtentChunkStore,
  }: {
    MemoryExtentChunkStore: ChunkStoreClass;
  } = require('azurite/dist/src/common/persistence/MemoryExtentStore');
  return new BlobServer(
    new BlobConfiguration(
      host,
      port,
      KEEP_ALIVE_S,
      'unused-blob-metadata.json',
      'unused-extent-metadata.json',
      [],
      false, // access log
      undefined,
      false, // debug log
      undefined,
      false, // loose mode
      true, // skip the API version check: the SDK asks for newer versions than Azurite knows
      '',
      '',
      '',
      undefined,
      false, // product style URLs stay allowed
      true, // in memory
      new MemoryExtentChunkStore(MEMORY_LIMIT_BYTES),
    ),
  );
}

type ChunkStoreClass = new (limitBytes: number) => object;
type BlobServerClass = new (configuration: object) => Azurite;
type BlobConfigurationClass = new (
  host: string,
  port: number,
  keepAliveTimeoutS: number,
  metadataPath: string,
  extentMetadataPath: string,
  persistencePaths: readonly string[],
  accessLog: boolean,
  accessLogStream: undefined,
  debugLog: boolean,
  debugLogPath: undefined,
  loose: boolean,
  skipApiVersionCheck: boolean,
  cert: string,
  certKey: string,
  certPassword: string,
  oauth: undefined,
  disableProductStyleUrl: boolean,
  inMemory: boolean,
  chunkStore: object,
) => object;
