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
import { BOUNDARY_RETRIES, BOUNDARY_RETRY_SECONDS, NUMBERING_SECONDS, WATERMARK_SECONDS } from '../limits.ts';
import type { Services } from '../services.ts';
import type { TransactionSettings } from '../settings/readSettings.ts';
import { recordBoundaries } from '../telemetry/recordBoundaries.ts';
import { recordWatermarks } from '../telemetry/recordWatermarks.ts';
import { moveWatermarks } from '../watermark/moveWatermarks.ts';
import { numberRows } from '../watermark/numberRows.ts';
import { SomeWatermarksFailed } from '../watermark/someWatermarksFailed.ts';
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
    // Not for the repetitions: with a policy the host tells whether the attempt before has failed, its output included.
    ...(hub !== undefined && { extraOutputs: [hub], retry: repeated }),
    handler: async (_timer: Timer, context: InvocationContext): Promise<void> => {
      await handle(context, services(), hub);
    },
  });
}

const repeated: RetryOptions = {
  strategy: 'fixedDelay',
  maxRetryCount: BOUNDARY_RETRIES,
  delayInterval: { seconds: BOUNDARY_RETRY_SECONDS },
};

const TWICE_A_MINUTE = '*/30 * * * * *';

async function handle(
  context: InvocationContext,
  services: Services,
  hub: EventHubOutput | undefined,
): Promise<void> {
  const { boundaries, telemetry } = services;
  const sent = boundaries?.start(context.retryContext) ?? new Map<string, number>();
  const deadline = new Deadline(WATERMARK_SECONDS);
  try {
    for (const [database, messages] of sent) telemetry.add('replica.boundaries_sent', messages, { database });
    await services.ready();
    const before = services.tracking?.now() ?? 0;
    const moved = await move(context, services, deadline);
    try {
      await handOut(context, services, hub, moved, deadline);
    } finally {
      await number(context, services, moved.databases, before);
    }
  } catch (error) {
    context.error(`watermark failed; the next run goes on ${JSON.stringify(summaryOf(error))}`);
    throw error;
  } finally {
    deadline.end();
  }
}

interface Moved {
  /** All that there are. */
  readonly databases: readonly string[];
  /** Why some were not looked at. */
  readonly failure: SomeWatermarksFailed | undefined;
}

/** Moves what can be moved. */
async function move(
  context: InvocationContext,
  { parking, tracking, telemetry }: Services,
  deadline: Deadline,
): Promise<Moved> {
  assert(tracking !== undefined, 'the watermark is registered where transactions are tracked');
  const started = performance.now();
  const moved = await moveWatermarks({ parking, tracking }, deadline).catch((error: unknown) => {
    if (error instanceof SomeWatermarksFailed) return error;
    throw error;
  });
  const failure = moved instanceof SomeWatermarksFailed ? moved : undefined;
  const reports = moved instanceof SomeWatermarksFailed ? moved.reports : moved;
  recordWatermarks(reports, telemetry);
  const milliseconds = Math.round(performance.now() - started);
  for (const { gaps, ...report } of reports) {
    context.log(`watermark ${JSON.stringify({ ...report, milliseconds })}`);
    for (const gap of gaps)
      context.warn(`transaction with gaps ${JSON.stringify({ db: report.db, ...gap })}`);
  }
  return { databases: failure?.databases ?? reports.map(({ db }) => db), failure };
}

/** Leaves the boundaries that are to be sent, where there is a hub for them. @throws what failed before, too. */
async function handOut(
  context: InvocationContext,
  { boundaries, telemetry }: Services,
  hub: EventHubOutput | undefined,
  { databases, failure }: Moved,
  deadline: Deadline,
): Promise<void> {
  if (boundaries === undefined || hub === undefined) {
    if (failure !== undefined) throw failure;
    return;
  }
  const attempt = context.retryContext;
  const handout = await boundaries.take(databases, attempt, deadline.signal);
  recordBoundaries(handout, Date.now(), telemetry);
  const failures = [...(failure === undefined ? [] : [failure]), ...handout.failures];
  // What throws hands out nothing. The failure is told by the first attempt, and holds up no other database after it.
  if (failures.length > 0 && (handout.messages.length === 0 || attempt?.retryCount === 0)) throw failures[0];
  for (const left of failures)
    context.error(`boundaries of the others are sent ${JSON.stringify(summaryOf(left))}`);
  if (handout.messages.length === 0) return;
  context.log(`boundaries ${JSON.stringify({ messages: handout.messages.length })}`);
  context.extraOutputs.set(hub, boundaries.handOut(handout));
}

/** Must not fail: what the run hands out is sent only when it does not. */
async function number(
  context: InvocationContext,
  { store, finder, tracking, settings }: Services,
  databases: readonly string[],
  before: number,
): Promise<void> {
  if (finder === undefined || tracking === undefined) return;
  const deadline = new Deadline(NUMBERING_SECONDS);
  try {
    const replica = { store, finder, tracking, settings };
    for (const { failure, ...report } of await numberRows(replica, databases, before, deadline)) {
      if (report.rows + report.transactions > 0) context.log(`numbered ${JSON.stringify(report)}`);
      if (failure !== undefined) tellFailure(context, { db: report.db, ...summaryOf(failure) });
    }
  } catch (error) {
    tellFailure(context, summaryOf(error));
  } finally {
    deadline.end();
  }
}

function tellFailure(context: InvocationContext, failure: object): void {
  context.error(`numbering rows failed; the next run goes on ${JSON.stringify(failure)}`);
}
