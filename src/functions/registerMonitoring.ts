import { app } from '@azure/functions';
import type { Monitoring } from '../telemetry/monitoring.ts';

/**
 * Turns telemetry on: from here on the app reports by itself, and the host is told to leave its logs to it, or
 * everything would be there twice (`telemetryMode` in host.json goes with it).
 * @param start called once all functions are registered and before the first batch.
 */
export function registerMonitoring(start: () => Promise<Monitoring>): void {
  app.setup({ capabilities: { WorkerOpenTelemetryEnabled: true } });
  let monitoring: Monitoring | undefined;
  app.hook.appStart(async () => {
    monitoring = await start();
  });
  app.hook.log(({ level, message, category, invocationContext }) => {
    if (category !== 'user') return;
    const { functionName, invocationId, traceContext } = invocationContext ?? {};
    monitoring?.log({ level, message, functionName, invocationId, parent: traceContext });
  });
  app.hook.appTerminate(async () => {
    await monitoring?.close();
  });
}
