import { setTimeout as sleep } from 'node:timers/promises';
import { AppLoadError, FunctionsHost } from '../host/functionsHost.ts';
import type { HubBatch } from '../hubMessage.ts';
import { type Concurrency, feed } from './feed.ts';
import type { FunctionLog } from './functionLog.ts';
import type { LocalServers } from './localServers.ts';
import { UserError } from './userError.ts';

/** What playing took. */
export interface Played {
  /** Deliveries of a batch after one that failed. */
  readonly redeliveries: number;
  /** HTTP requests the servers got meanwhile. */
  readonly requests: { readonly cosmos: number; readonly blob: number };
  readonly milliseconds: number;
}

/** A batch failed as often as it was delivered. */
export class BatchFailed extends Error {
  override readonly name = 'BatchFailed';
}

export interface PlayOptions {
  /** Absolute path of the built function app. */
  readonly bundle: string;
  readonly batches: AsyncIterable<HubBatch> | Iterable<HubBatch>;
  readonly concurrency: Concurrency;
  /** Told how many messages have been taken care of. */
  readonly onMessages: (messages: number) => void;
}

const FUNCTION = 'replicate';
const WATERMARK = 'watermark';
const MAX_ATTEMPTS = 5;

/**
 * Loads the function app and hands it the batches; one that fails is delivered again.
 * @throws BatchFailed after {@link MAX_ATTEMPTS} failures of one batch
 * @throws UserError when the bundle is no function app that starts
 */
export async function playMessages(
  { cosmos, blob, environment }: LocalServers,
  log: FunctionLog,
  options: PlayOptions,
): Promise<Played> {
  const host = await loadApp(options.bundle, environment, log);
  const before = { cosmos: cosmos.requests(), blob: blob.requests() };
  const started = performance.now();
  let messages = 0;
  let redeliveries = 0;
  const deliver = async (batch: HubBatch): Promise<void> => {
    const delivery = await host.deliver(FUNCTION, batch, { maxAttempts: MAX_ATTEMPTS });
    redeliveries += delivery.attempts - 1;
    if (delivery.outcome !== 'succeeded') throw failureOf(batch, delivery.attempts, delivery.error);
    messages += batch.messages.length;
    options.onMessages(messages);
  };
  try {
    await feed(options.batches, deliver, options.concurrency);
    const played = {
      redeliveries,
      requests: { cosmos: cosmos.requests() - before.cosmos, blob: blob.requests() - before.blob },
      milliseconds: Math.round(performance.now() - started),
    };
    await endTransactions(host, environment);
    return played;
  } finally {
    await host.dispose();
  }
}

/** What the timer does once nothing has come for long enough; where transactions are tracked. */
async function endTransactions(
  host: FunctionsHost,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if (!host.functions.some(({ name }) => name === WATERMARK)) return;
  await sleep(Number(environment['TRANSACTION_IDLE_SECONDS']) * 1000);
  await host.invokeTimer(WATERMARK);
  // Rows are given their places by a later run than the one that ends their transaction.
  if (environment['TRANSACTIONS'] === 'on-with-order') await host.invokeTimer(WATERMARK);
}

async function loadApp(
  bundle: string,
  environment: Readonly<Record<string, string>>,
  log: FunctionLog,
): Promise<FunctionsHost> {
  try {
    const host = await FunctionsHost.load({ bundle, environment, log: (entry) => log.take(entry) });
    if (host.functions.some(({ name }) => name === FUNCTION)) return host;
    await host.dispose();
  } catch (error) {
    if (!(error instanceof AppLoadError)) throw error;
    throw new UserError(`${firstLine(error.message)}; run npm run build`, { cause: error });
  }
  throw new UserError(`${bundle} has no function ${FUNCTION}; run npm run build`);
}

function failureOf({ partitionId, messages }: HubBatch, attempts: number, error: unknown): BatchFailed {
  const from = messages[0]?.sequenceNumber;
  const reason = error instanceof Error ? firstLine(error.message) : String(error);
  const batch = `the batch of partition ${partitionId} from sequence number ${from}`;
  return new BatchFailed(`gave up on ${batch} after ${attempts} attempts: ${reason}`, { cause: error });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
