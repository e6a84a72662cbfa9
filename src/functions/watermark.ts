import {
  app,
  type EventHubOutput,
  type InvocationContext,
  output,
  type RetryOptions,
  type Timer,
} from '@azure/functions';
import { Deadline } from '../deadline.ts';
import { assert } from '../errors/bug.ts';
import { BOUNDARY_RETRY_SECONDS, NUMBERING_SECONDS, WATERMARK_SECONDS } from '../limits.ts';
import type { Services } from '../services.ts';
import type { TransactionSettings } from '../settings/readSettings.ts';
import { recordWatermarks } from '../telemetry/recordWatermarks.ts';
import { moveWatermarks } from '../watermark/moveWatermarks.ts';
import { numberRows } from '../watermark/numberRows.ts';
import { summaryOf } from './summaryOf.ts';

/**
 * Registers the timer that ends transactions and moves the watermark; only where transactions are tracked.
 * With an event hub for them it also sends the boundaries of transactions: not `replicate`, so that a hub that is not
 * there holds up no change.
 * @param services called for each run, so that registering comes before anything that can fail.
 */
export function registerWatermark(services: () => Services, { eventsHub }: TransactionSettings): void {
  const hub =
    eventsHub === undefined
      ? undefined
      : output.eventHub({ connection: 'EventHub', eventHubName: '%TRANSACTION_EVENTS_HUB%' });
  app.timer('watermark', {
    schedule: TWICE_A_MINUTE,
    // Every instance that starts would run at once.
    runOnStartup: false,
    // A run that was missed is made up for by the next, and the host keeps no schedule of less than a minute.
    useMonitor: false,
    // Not for the repetition: with a policy the host tells whether the attempt before has failed, its output included.
    ...(hub !== undefined && { extraOutputs: [hub], retry: once }),
    handler: async (_timer: Timer, context: InvocationContext): Promise<void> => {
      await handle(context, services(), hub);
    },
  });
}

const once: RetryOptions = {
  strategy: 'fixedDelay',
  maxRetryCount: 1,
  delayInterval: { seconds: BOUNDARY_RETRY_SECONDS },
};

const TWICE_A_MINUTE = '*/30 * * * * *';

async function handle(
  context: InvocationContext,
  services: Services,
  hub: EventHubOutput | undefined,
): Promise<void> {
  const { parking, tracking, telemetry, boundaries } = services;
  boundaries?.start(context.retryContext);
  assert(tracking !== undefined, 'the watermark is registered where transactions are tracked');
  const started = performance.now();
  const before = tracking.now();
  const deadline = new Deadline(WATERMARK_SECONDS);
  try {
    await services.ready();
    const reports = await moveWatermarks({ parking, tracking }, deadline);
    recordWatermarks(reports, telemetry);
    const milliseconds = Math.round(performance.now() - started);
    for (const { gaps, ...report } of reports) {
      context.log(`watermark ${JSON.stringify({ ...report, milliseconds })}`);
      for (const gap of gaps)
        context.warn(`transaction with gaps ${JSON.stringify({ db: report.db, ...gap })}`);
    }
    const databases = reports.map(({ db }) => db);
    if (boundaries !== undefined && hub !== undefined) {
      const messages = await boundaries.take(databases, context.retryContext, deadline.signal);
      if (messages.length > 0) {
        context.log(`boundaries ${JSON.stringify({ messages: messages.length })}`);
        context.extraOutputs.set(hub, messages);
      }
    }
    await number(databases, before, services, context);
  } catch (error) {
    context.error(`watermark failed; the next run goes on ${JSON.stringify(summaryOf(error))}`);
    throw error;
  } finally {
    deadline.end();
  }
}

/** Must not fail: what the run hands out is sent only when it does not. */
async function number(
  databases: readonly string[],
  before: number,
  { store, finder, tracking, settings }: Services,
  context: InvocationContext,
): Promise<void> {
  if (finder === undefined || tracking === undefined) return;
  const deadline = new Deadline(NUMBERING_SECONDS);
  try {
    const replica = { store, finder, tracking, settings };
    for (const report of await numberRows(replica, databases, before, deadline))
      if (report.rows + report.transactions > 0) context.log(`numbered ${JSON.stringify(report)}`);
  } catch (error) {
    context.error(`numbering rows failed; the next run goes on ${JSON.stringify(summaryOf(error))}`);
  } finally {
    deadline.end();
  }
}
