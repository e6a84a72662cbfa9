import { CosmosClient } from '@azure/cosmos';
import { FunctionsHost } from '../local/host/functionsHost.ts';
import type { HubMessage } from '../local/hubMessage.ts';
import { startLocalServers } from '../local/run/localServers.ts';
import { createContainers } from '../local/servers/createContainers.ts';
import { purchaseMessage } from './messages.ts';
import { compare, median } from './rounds.ts';
import { sampleHandler } from './sampleHandler.ts';

export interface EndToEndResult {
  readonly what: string;
  readonly eventsPerSecond: number;
  readonly sampleEventsPerSecond: number;
  /** Speed as a multiple of the sample handler's. */
  readonly timesSample: number;
  /** HTTP requests to Cosmos DB and Blob storage for each event. */
  readonly requestsPerEvent: number;
  readonly sampleRequestsPerEvent: number;
}

/** Messages in a batch: `maxEventBatchSize` of host.json. */
const BATCH = 300;
const ROUNDS = 9;
const bundle = new URL('../dist/index.cjs', import.meta.url).pathname;

/** The function through the in-process host, against the sample handler called directly, on one server. */
export async function benchEndToEnd(): Promise<readonly EndToEndResult[]> {
  const servers = await startLocalServers(false);
  const { cosmos, blob, environment } = servers;
  await createContainers(cosmos, blob, { database: 'sample', container: 'rows' });
  const host = await FunctionsHost.load({ bundle, environment });
  // Another process of the app, which remembers nothing of what the first has written.
  const stranger = await FunctionsHost.load({ bundle, environment });
  const client = new CosmosClient({
    endpoint: cosmos.endpoint,
    key: cosmos.key,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  const requests = (): number => cosmos.requests() + blob.requests();
  const bench = (
    what: string,
    batch: () => readonly HubMessage[],
    app: FunctionsHost = host,
  ): Promise<EndToEndResult> =>
    against(
      what,
      batch,
      (messages) => app.invokeEventHub('replicate', { partitionId: '0', messages }),
      (messages) => sampleHandler(messages, client.database('sample').container('rows')),
      requests,
    );
  try {
    const source = new Purchases();
    return [
      await bench('inserts, 1 change per row', () => source.inserts()),
      await bench('updates of other rows, 1 change per row', () => source.updatesOfOthers(), stranger),
      await bench('updates of the same rows, 1 change per row', () => source.updates(1)),
      await bench('updates, 10 changes per row', () => source.updates(10)),
    ];
  } finally {
    client.dispose();
    await Promise.all([host.dispose(), stranger.dispose()]);
    await servers.close();
  }
}

async function against(
  what: string,
  nextBatch: () => readonly HubMessage[],
  replicate: (messages: readonly HubMessage[]) => Promise<void>,
  sample: (messages: readonly HubMessage[]) => Promise<void>,
  requests: () => number,
): Promise<EndToEndResult> {
  const sent = { subject: [] as number[], floor: [] as number[] };
  // Each contender gets every batch: both meet the same rows in the same state.
  const queues = { subject: [] as (readonly HubMessage[])[], floor: [] as (readonly HubMessage[])[] };
  const run =
    (side: 'subject' | 'floor', handle: (messages: readonly HubMessage[]) => Promise<void>) => async () => {
      const messages = queues[side].shift();
      if (messages === undefined) throw new Error('a batch for every round was made beforehand');
      const before = requests();
      await handle(messages);
      sent[side].push((requests() - before) / messages.length);
    };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const batch = nextBatch();
    queues.subject.push(batch);
    queues.floor.push(batch);
  }
  const { subjectMs, floorMs, ratio } = await compare(
    { name: what, run: run('subject', replicate) },
    { name: 'sample handler', run: run('floor', sample) },
    ROUNDS,
  );
  return {
    what,
    eventsPerSecond: (BATCH / subjectMs) * 1000,
    sampleEventsPerSecond: (BATCH / floorMs) * 1000,
    timesSample: ratio,
    requestsPerEvent: median(sent.subject),
    sampleRequestsPerEvent: median(sent.floor),
  };
}

/** A table that grows by a batch of inserts, and whose rows are updated then. */
class Purchases {
  #lsn = 0;
  #rows = 0;
  #updated = 0;

  inserts(): readonly HubMessage[] {
    return Array.from({ length: BATCH }, () => {
      this.#rows += 1;
      return this.#message('INS', this.#rows);
    });
  }

  /** Each row once. */
  updatesOfOthers(): readonly HubMessage[] {
    return Array.from({ length: BATCH }, () => {
      this.#updated += 1;
      return this.#message('UPD', this.#updated);
    });
  }

  updates(changesPerRow: number): readonly HubMessage[] {
    const rows = BATCH / changesPerRow;
    return Array.from({ length: BATCH }, (_, index) => this.#message('UPD', 1 + (index % rows)));
  }

  #message(operation: 'INS' | 'UPD', purchase: number): HubMessage {
    this.#lsn += 1;
    return purchaseMessage({ operation, purchase, lsn: this.#lsn });
  }
}
