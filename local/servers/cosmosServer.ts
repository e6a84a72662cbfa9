import { createHttpServer } from '@vercel/cosmosdb-server';
import { addressOf, closeHttpServer, LOOPBACK, listen } from './httpServer.ts';

/** A Cosmos DB stand-in in this process; its data goes with it. */
export interface CosmosServer {
  /** For a `CosmosClient` with `connectionPolicy: { enableEndpointDiscovery: false }` and no `agent`. */
  readonly endpoint: string;
  readonly key: string;
  /** HTTP requests received so far. */
  requests(): number;
  /** Ends the server and every open connection. */
  close(): Promise<void>;
}

/** The server checks no signatures; the client only wants something in base64. */
const ANY_KEY = Buffer.from('local').toString('base64');

/** A connection that the server ends while the client takes it up again is a lost request; long enough for any pause. */
const KEEP_ALIVE_MS = 600_000;

/** Listens on 127.0.0.1, on a free port unless one is given. */
export async function startCosmosServer(options: { readonly port?: number } = {}): Promise<CosmosServer> {
  const server = createHttpServer({ keepAlive: true });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  let received = 0;
  server.on('request', () => {
    received += 1;
  });
  await listen(server, options.port ?? 0);
  return {
    endpoint: `http://${LOOPBACK}:${addressOf(server).port}`,
    key: ANY_KEY,
    requests: () => received,
    close: () => closeHttpServer(server),
  };
}
