import { startLocalServers } from '../local/run/localServers.ts';
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
import { numberRows } from '../src/watermark/numberRows.ts';
import { purchaseMessage } from './messages.ts';

/** What one batch, or one run of the timer, asks of Cosmos DB: exact, whatever the machine. */
export interface TrackingResult {
  readonly tracking: 'off' | 'on' | 'on, with a hub for boundaries' | 'on-with-order';
  readonly what: string;
  /** HTTP requests to Cosmos DB in all, those for rows included. */
  readonly requests: number;
  /** Operations on items of tracking. */
  readonly reads: number;
  readonly writes: number;
  readonly queries: number;
  /** Reads and writes of rows, and queries for them. */
  readonly rowOperations: number;
  readonly rowQueries: number;
}

const CHANGES = 300;
const TRANSACTIONS = 30;
const ATTEMPT = { retryCount: 0, maxRetryCount: 1 };
const SECONDS = 60;

/** The same batches with tracking off, on, on with boundaries sent, and on with rows numbered. */
export async function benchTracking(): Promise<readonly TrackingResult[]> {
  return [
    ...(await countsOf('off')),
    ...(await countsOf('on')),
    ...(await countsOf('on, with a hub for boundaries')),
    ...(await countsOf('on-with-order')),
  ];
}

async function countsOf(tracking: TrackingResult['tracking']): Promise<readonly TrackingResult[]> {
  // Where tracking is off its container is not there: a request for it would fail.
  const servers = await startLocalServers(false, {
    TRANSACTIONS: tracking === 'on, with a hub for boundaries' ? 'on' : tracking,
    HUB_PARTITIONS: '1',
    ...(tracking === 'on, with a hub for boundaries' && { TRANSACTION_EVENTS_HUB: 'transactions' }),
  });
  const { cosmos } = servers;
  const created = createServices(readSettings(servers.environment));
  const counts = new Counts();
  const services = counted(created, counts);
  await services.ready();
  const results: TrackingResult[] = [];
  const count = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const before = cosmos.requests();
    counts.clear();
    await work();
    const requests = cosmos.requests() - before;
    results.push({ tracking, what, requests, ...counts.told });
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
    await servers.close();
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

async function runTimer(services: Services): Promise<void> {
  const { parking, tracking, boundaries, finder } = services;
  if (tracking === undefined) throw new Error('the timer runs where transactions are tracked');
  const deadline = new Deadline(SECONDS);
  const started = tracking.now();
  boundaries?.start(ATTEMPT);
  const reports = await moveWatermarks({ parking, tracking }, deadline, 0);
  const databases = reports.map(({ db }) => db);
  const handout = await boundaries?.take(databases, ATTEMPT, deadline.signal);
  if (handout !== undefined) boundaries?.handOut(handout);
  if (finder !== undefined) await numberRows({ ...services, tracking, finder }, databases, started, deadline);
  deadline.end();
}

class Counts {
  told = none;

  clear(): void {
    this.told = none;
  }

  add(name: keyof typeof none, by = 1): void {
    this.told = { ...this.told, [name]: this.told[name] + by };
  }
}

const none = { reads: 0, writes: 0, queries: 0, rowOperations: 0, rowQueries: 0 };

function counted(services: Services, counts: Counts): Services {
  const rows = countedRows(services, counts);
  if (services.tracking === undefined) return { ...services, ...rows };
  const { store, options } = services.tracking;
  const counting: ProgressStore = {
    execute: (operations, signal) => {
      const reads = operations.filter(({ kind }) => kind === 'read').length;
      counts.add('reads', reads);
      counts.add('writes', operations.length - reads);
      return store.execute(operations, signal);
    },
    open: (...query) => {
      counts.add('queries');
      return store.open(...query);
    },
    databases: (...query) => {
      counts.add('queries');
      return store.databases(...query);
    },
    carrying: (...query) => {
      counts.add('queries');
      return store.carrying(...query);
    },
    unsent: (...query) => {
      counts.add('queries');
      return store.unsent(...query);
    },
    unnumbered: (...query) => {
      counts.add('queries');
      return store.unnumbered(...query);
    },
  };
  const tracking = new Tracking(counting, options);
  const boundaries = services.boundaries === undefined ? undefined : new BoundaryOutbox(tracking);
  return { ...services, tracking, boundaries, ...rows };
}

function countedRows({ store, finder }: Services, counts: Counts): Pick<Services, 'store' | 'finder'> {
  return {
    store: {
      execute: (operations, signal) => {
        counts.add('rowOperations', operations.length);
        return store.execute(operations, signal);
      },
    },
    finder: finder && {
      containers: finder.containers,
      find: (...query) => {
        counts.add('rowQueries');
        return finder.find(...query);
      },
    },
  };
}
