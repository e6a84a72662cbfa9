import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Local servers are reachable from this machine only. */
export const LOOPBACK = '127.0.0.1';

/** Resolves once the server accepts connections; rejects when the port is taken. */
export async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, LOOPBACK, resolve);
  await promise;
  server.off('error', reject);
}

/** The address of a server that listens on a TCP port. */
export function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server is not listening on a TCP port');
  }
  return address;
}

/** Stops listening and drops open connections: an idle keep-alive connection would hold the server for seconds. */
export async function closeHttpServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
