import { type LocalServers, WELL_KNOWN_PORTS } from './localServers.ts';

/** How to reach servers that stay up, one text a line. */
export function connectionLines({
  settings,
  environment,
}: Pick<LocalServers, 'settings' | 'environment'>): string[] {
  const taken = [
    portOf(settings.COSMOS_ENDPOINT) === WELL_KNOWN_PORTS.cosmos ? [] : [WELL_KNOWN_PORTS.cosmos],
    portOf(/BlobEndpoint=([^;]+)/.exec(settings.BLOB_CONNECTION_STRING)?.[1] ?? '') === WELL_KNOWN_PORTS.blob
      ? []
      : [WELL_KNOWN_PORTS.blob],
  ].flat();
  return [
    'The servers stay up. Connect with:',
    ...Object.entries(settings).map(([name, value]) => `  ${name}=${value}`),
    ...(environment['TRANSACTIONS'] === 'off'
      ? []
      : [`  COSMOS_TRANSACTIONS_CONTAINER=${environment['COSMOS_TRANSACTIONS_CONTAINER']}`]),
    taken.length === 0
      ? 'local.settings.json.example leads to the same ports.'
      : `Taken by something else: port ${taken.join(' and ')}. Put the lines above into local.settings.json.`,
    'A CosmosClient of your own needs connectionPolicy: { enableEndpointDiscovery: false } for them.',
    'Ctrl-C ends them; their data goes with them.',
  ];
}

function portOf(url: string): number {
  return Number(URL.parse(url)?.port);
}

/** Resolves at SIGINT or SIGTERM. Further signals do nothing: npm passes on a Ctrl-C that the terminal has sent too. */
export async function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  await promise;
}
