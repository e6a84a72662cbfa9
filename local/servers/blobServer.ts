import { createAzurite, DEVELOPMENT_ACCOUNT } from './azurite.ts';
import { addressOf, closeHttpServer, LOOPBACK } from './httpServer.ts';

/** A Blob storage stand-in in this process; its data goes with it. */
export interface BlobServer {
  readonly connectionString: string;
  /** URL of the account, without a trailing slash. */
  readonly endpoint: string;
  /** HTTP requests received so far. */
  requests(): number;
  /** Ends the server and every open connection. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, on a free port unless one is given. */
export async function startBlobServer(options: { readonly port?: number } = {}): Promise<BlobServer> {
  const azurite = createAzurite(LOOPBACK, options.port ?? 0);
  try {
    await azurite.start();
  } catch (error) {
    // Its background work is already running when the port turns out to be taken.
    await azurite.afterClose();
    throw error;
  }
  let received = 0;
  azurite.httpServer.on('request', () => {
    received += 1;
  });

  const { name, key } = DEVELOPMENT_ACCOUNT;
  const endpoint = `http://${LOOPBACK}:${addressOf(azurite.httpServer).port}/${name}`;
  return {
    endpoint,
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${key};BlobEndpoint=${endpoint};`,
    requests: () => received,
    close: async () => {
      await closeHttpServer(azurite.httpServer);
      await azurite.close();
    },
  };
}
