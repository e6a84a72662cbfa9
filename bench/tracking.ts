import { FunctionsHost } from '../local/host/functionsHost.ts';
import type { HubMessage } from '../local/hubMessage.ts';
import { startBlobServer } from '../local/servers/blobServer.ts';
import { startCosmosServer } from '../local/servers/cosmosServer.ts';
import { createContainers } from '../local/servers/createContainers.ts';
import { purchaseMessage } from './messages.ts';

export interface TrackingResult {
  readonly what: string;
  /** HTTP requests to Cosmos DB and Blob storage for a batch: off, on, and on when the batch comes again. */
  readonly off: number;
  readonly on: number;
  readonly again: number;
}

const BATCH = 300;
const bundle = new URL('../dist/index.cjs', import.meta.url).pathname;

/** What tracking of transactions adds to a batch, in requests. A bulk request is one. */
export async function benchTracking(): Promise<readonly TrackingResult[]> {
  const cases = [
    { what: `${BATCH} changes of one transaction`, perTransaction: BATCH },
    { what: `${BATCH / 10} transactions of 10`, perTransaction: 10 },
    { what: `${BATCH} transactions of one`, perTransaction: 1 },
  ];
  const off = await requestsOf('off', cases);
  const on = await requestsOf('on', cases);
  return cases.map(({ what }, index) => ({
    what,
    off: off[index]?.first ?? 0,
    on: on[index]?.first ?? 0,
    again: on[index]?.again ?? 0,
  }));
}

async function requestsOf(
  choice: 'off' | 'on',
  cases: readonly { readonly perTransaction: number }[],
): Promise<readonly { readonly first: number; readonly again: number }[]> {
  const cosmos = await startCosmosServer();
  const blob = await startBlobServer();
  await createContainers(cosmos, blob, {
    database: 'replica',
    container: 'rows',
    transactions: choice === 'on' ? 'transactions' : undefined,
  });
  const environment = {
    EventHub: 'Endpoint=sb://localhost',
    EVENT_HUB_NAME: 'ces',
    EVENT_HUB_CONSUMER_GROUP: 'replica',
    COSMOS_ENDPOINT: cosmos.endpoint,
    COSMOS_KEY: cosmos.key,
    BLOB_CONNECTION_STRING: blob.connectionString,
    TRANSACTIONS: choice,
    HUB_PARTITIONS: '1',
  };
  const host = await FunctionsHost.load({ bundle, environment });
  const send = async (messages: readonly HubMessage[]): Promise<number> => {
    const before = cosmos.requests() + blob.requests();
    await host.invokeEventHub('replicate', { partitionId: '0', messages });
    return cosmos.requests() + blob.requests() - before;
  };
  try {
    const results: { first: number; again: number }[] = [];
    let purchase = 0;
    const next = (perTransaction: number): readonly HubMessage[] =>
      Array.from({ length: BATCH }, (_, index) => {
        purchase += 1;
        const lsn = purchase - (index % perTransaction);
        return purchaseMessage({ operation: 'INS', purchase, lsn, sequence: 1 + (index % perTransaction) });
      });
    // The first batch of a process looks at the containers and the partition.
    await send(next(1));
    for (const { perTransaction } of cases) {
      const messages = next(perTransaction);
      results.push({ first: await send(messages), again: await send(messages) });
    }
    return results;
  } finally {
    await host.dispose();
    await Promise.all([cosmos.close(), blob.close()]);
  }
}
