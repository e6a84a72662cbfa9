import { app, type InvocationContext, type Timer } from '@azure/functions';
import { Deadline } from '../deadline.ts';
import { assert } from '../errors/bug.ts';
import { WATERMARK_SECONDS } from '../limits.ts';
import type { Services } from '../services.ts';
import { recordWatermarks } from '../telemetry/recordWatermarks.ts';
import { moveWatermarks } from '../watermark/moveWatermarks.ts';
import { summaryOf } from './summaryOf.ts';

/**
 * Registers the timer that ends transactions and moves the watermark; only where transactions are tracked.
 * @param services called for each run, so that registering comes before anything that can fail.
 */
export function registerWatermark(services: () => Services): void {
  app.timer('watermark', {
    schedule: TWICE_A_MINUTE,
    // Every instance that starts would run at once.
    runOnStartup: false,
    // A run that was missed is made up for by the next, and the host keeps no schedule of less than a minute.
    useMonitor: false,
    handler: async (_timer: Timer, context: InvocationContext): Promise<void> => {
      await handle(context, services());
    },
  });
}

const TWICE_A_MINUTE = '*/30 * * * * *';

async function handle(context: InvocationContext, services: Services): Promise<void> {
  const { parking, tracking, telemetry } = services;
  assert(tracking !== undefined, 'the watermark is registered where transactions are tracked');
  const started = performance.now();
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
  } catch (error) {
    context.error(`watermark failed; the next run goes on ${JSON.stringify(summaryOf(error))}`);
    throw error;
  } finally {
    deadline.end();
  }
}
