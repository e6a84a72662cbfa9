import { startBlobServer } from '../local/servers/blobServer.ts';
import { startCosmosServer } from '../local/servers/cosmosServer.ts';
import { createContainers } from '../local/servers/createContainers.ts';
import { createServices } from '../src/createServices.ts';
import { Deadline } from '../src/deadline.ts';
import type { Message } from '../src/model/message.ts';
import { replicate } from '../src/pipeline.ts';
import type { Services } from '../src/services.ts';
import { readSettings } from '../src/settings/readSettings.ts';
import { BoundaryOutbox } from '../src/transactions/boundaryOutbox.ts';
import type { ProgressStore } from '../src/transactions/progressStore.ts';
import { Tracking } from '../src/transactions/tracking.ts';
import { moveWatermarks } from '../src/watermark/moveWatermarks.ts';
import { purchaseMessage } from './messages.ts';

/** What one batch, or one run of the timer, asks of Cosmos DB: exact, whatever the machine. */
export interface TrackingResult {
  readonly tracking: 'off' | 'on' | 'on, with a hub for boundaries';
  readonly what: string;
  /** HTTP requests to Cosmos DB in all, those for rows included. */
  readonly requests: number;
  /** Operations on items of tracking. */
  readonly reads: number;
  readonly writes: number;
  readonly queries: number;
}

const CHANGES = 300;
const TRANSACTIONS = 30;
const ATTEMPT = { retryCount: 0, maxRetryCount: 1 };
const SECONDS = 60;

/** The same batches with tracking off, on, and on with boundaries sent. */
export async function benchTracking(): Promise<readonly TrackingResult[]> {
  return [
    ...(await countsOf('off')),
    ...(await countsOf('on')),
    ...(await countsOf('on, with a hub for boundaries')),
  ];
}

async function countsOf(tracking: TrackingResult['tracking']): Promise<readonly TrackingResult[]> {
  const cosmos = await startCosmosServer();
  const blob = await startBlobServer();
  const names = { database: 'replica', container: 'rows' };
  // Where tracking is off its container is not there: a request for it would fail.
  await createContainers(
    cosmos,
    blob,
    tracking === 'off' ? names : { ...names, transactions: 'transactions' },
  );
  const created = createServices(
    readSettings({
      EventHub: 'Endpoint=sb://localhost',
      EVENT_HUB_NAME: 'ces',
      EVENT_HUB_CONSUMER_GROUP: 'replica',
      COSMOS_ENDPOINT: cosmos.endpoint,
      COSMOS_KEY: cosmos.key,
      BLOB_CONNECTION_STRING: blob.connectionString,
      TRANSACTIONS: tracking === 'off' ? 'off' : 'on',
      HUB_PARTITIONS: '1',
      ...(tracking === 'on, with a hub for boundaries' && { TRANSACTION_EVENTS_HUB: 'transactions' }),
    }),
  );
  const counts = new Counts();
  const services = counted(created, counts);
  await services.ready();
  const results: TrackingResult[] = [];
  const count = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before = cosmos.requests();
    counts.clear();
    await work();
    const { reads, writes, queries } = counts;
    results.push({ tracking, what, requests: cosmos.requests() - before, reads, writes, queries });
  };
  const several = batchOf(1, TRANSACTIONS);
  try {
    await count(`first batch, ${TRANSACTIONS} transactions`, () => replicate(several, services));
    await count(`batch, ${TRANSACTIONS} transactions`, () => replicate(batchOf(2, TRANSACTIONS), services));
    await count('batch, 1 transaction', () => replicate(batchOf(3, 1), services));
    await count('copies of the first batch', () => replicate(several, services));
    if (tracking === 'off') return results;
    await count(`timer, ${2 * TRANSACTIONS} transactions end`, () => runTimer(services));
    await count('timer, the next run', () => runTimer(services));
    await count('timer, the run after it', () => runTimer(services));
    return results;
  } finally {
    await Promise.all([cosmos.close(), blob.close()]);
  }
}

/** Changes of as many transactions as told, one after the other. @param number of the batch, from 1. */
function batchOf(number: number, transactions: number): readonly Message[] {
  const each = CHANGES / transactions;
  return Array.from({ length: CHANGES }, (_, index) => {
    const { body } = purchaseMessage({
      operation: 'INS',
      purchase: number * CHANGES + index,
      lsn: number * CHANGES + Math.floor(index / each),
      sequence: 1 + (index % each),
    });
    return { body: Buffer.from(body), source: { hub: 'ces', partition: '0' } };
  });
}

async function runTimer({ parking, tracking, boundaries }: Services): Promise<void> {
  if (tracking === undefined) throw new Error('the timer runs where transactions are tracked');
  const deadline = new Deadline(SECONDS);
  boundaries?.start(ATTEMPT);
  const reports = await moveWatermarks({ parking, tracking }, deadline, 0);
  const databases = reports.map(({ db }) => db);
  const handout = await boundaries?.take(databases, ATTEMPT, deadline.signal);
  if (handout !== undefined) boundaries?.handOut(handout);
  deadline.end();
}

class Counts {
  reads = 0;
  writes = 0;
  queries = 0;

  clear(): void {
    this.reads = 0;
    this.writes = 0;
    this.queries = 0;
  }
}

function counted(services: Services, counts: Counts): Services {
  if (services.tracking === undefined) return services;
  const { store, options } = services.tracking;
  const counting: ProgressStore = {
    execute: (operations, signal) => {
      const reads = operations.filter(({ kind }) => kind === 'read').length;
      counts.reads += reads;
      counts.writes += operations.length - reads;
      return store.execute(operations, signal);
    },
    open: (...query) => {
      counts.queries += 1;
      return store.open(...query);
    },
    databases: (...query) => {
      counts.queries += 1;
      return store.databases(...query);
    },
    carrying: (...query) => {
      counts.queries += 1;
      return store.carrying(...query);
    },
    unsent: (...query) => {
      counts.queries += 1;
      return store.unsent(...query);
    },
  };
  const tracking = new Tracking(counting, options);
  const boundaries = services.boundaries === undefined ? undefined : new BoundaryOutbox(tracking);
  return { ...services, tracking, boundaries };
}
