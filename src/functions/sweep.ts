import { app, type InvocationContext, type Timer } from '@azure/functions';
import { Deadline } from '../deadline.ts';
import { LARGE_VALUE_SWEEP_SECONDS } from '../limits.ts';
import type { Services } from '../services.ts';
import { sweep } from '../sweep/sweep.ts';
import { type LargeValueReport, sliceAt, sweepLargeValues } from '../sweep/sweepLargeValues.ts';
import { recordParked } from '../telemetry/recordParked.ts';
import { summaryOf } from './summaryOf.ts';
import { warnOfLetters } from './warnOfLetters.ts';

/**
 * Registers the timer that sweeps the parking container and, a slice at a time, the large values.
 * @param services called for each sweep, so that registering comes before anything that can fail.
 */
export function registerSweep(services: () => Services): void {
  app.timer('sweep', {
    schedule: EVERY_FIVE_MINUTES,
    // Every instance that starts would sweep at once.
    runOnStartup: false,
    useMonitor: true,
    handler: async (_timer: Timer, context: InvocationContext): Promise<void> => {
      await handle(context, services());
    },
  });
}

const EVERY_FIVE_MINUTES = '0 */5 * * * *';
const FIVE_MINUTES_MS = 5 * 60 * 1000;

async function handle(context: InvocationContext, services: Services): Promise<void> {
  const started = performance.now();
  let outcome: 'done' | 'failed' = 'failed';
  try {
    await services.ready();
    const { report, letters } = await sweep(services);
    warnOfLetters(letters, context);
    recordParked(report, services.telemetry);
    const largeValues = await sweepSlice(services);
    const milliseconds = Math.round(performance.now() - started);
    context.log(`swept ${JSON.stringify({ ...report, largeValues, milliseconds })}`);
    outcome = 'done';
  } catch (error) {
    context.error(`sweep failed; the next one goes on ${JSON.stringify(summaryOf(error))}`);
    throw error;
  } finally {
    services.telemetry.measure('replica.sweep_duration', (performance.now() - started) / 1000, { outcome });
  }
}

async function sweepSlice(services: Services): Promise<LargeValueReport> {
  const deadline = new Deadline(LARGE_VALUE_SWEEP_SECONDS);
  try {
    const report = await sweepLargeValues(services, sliceAt(new Date(), FIVE_MINUTES_MS), deadline);
    services.telemetry.add('replica.large_values_removed', report.removed, {});
    return report;
  } finally {
    deadline.end();
  }
}
