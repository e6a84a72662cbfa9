import { CosmosClient } from '@azure/cosmos';
import type { LocalServers } from './localServers.ts';

/** What tracking has written, as far as people look at it. */
export interface StoredTransactions {
  /** By database and commit. */
  readonly transactions: readonly StoredTransaction[];
  readonly watermarks: readonly StoredWatermark[];
}

export interface StoredTransaction {
  readonly id: string;
  readonly db: string;
  readonly status: 'BEGIN' | 'END';
  readonly event_count: number | null;
  readonly closed_by?: string;
  readonly missing_count?: number;
  readonly commit: string;
}

export interface StoredWatermark {
  readonly db: string;
  readonly lsn: string | null;
  readonly time: string | null;
  readonly open: number;
  readonly exceptions: { readonly dead_letters: number };
}

/** Nothing where transactions are not tracked. */
export async function readTransactions({
  settings,
  environment,
}: Pick<LocalServers, 'settings' | 'environment'>): Promise<StoredTransactions> {
  if (environment['TRANSACTIONS'] === 'off') return { transactions: [], watermarks: [] };
  const client = new CosmosClient({
    endpoint: settings.COSMOS_ENDPOINT,
    key: settings.COSMOS_KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  try {
    const container = client
      .database(settings.COSMOS_DATABASE)
      .container(environment['COSMOS_TRANSACTIONS_CONTAINER'] ?? 'transactions');
    const { resources } = await container.items
      .query<StoredTransaction & StoredWatermark>('SELECT * FROM c')
      .fetchAll();
    const order = ({ db, commit }: StoredTransaction): string => JSON.stringify([db, commit]);
    return {
      transactions: resources
        .filter(({ status }) => status !== undefined)
        .sort((a, b) => (order(a) < order(b) ? -1 : 1)),
      watermarks: resources.filter(({ id }) => id === 'watermark').sort((a, b) => (a.db < b.db ? -1 : 1)),
    };
  } finally {
    client.dispose();
  }
}
