import type { TelemetrySettings } from '../settings/telemetrySettings.ts';
import type { Monitoring } from './monitoring.ts';

/**
 * Loads the library and connects to Application Insights. The build keeps the library in a file of its own, because
 * it takes longer to load than all the rest: who does not use it must not wait for it.
 */
export async function startMonitoring(settings: TelemetrySettings): Promise<Monitoring> {
  const { AzureMonitor } = await import('./azureMonitor.ts');
  return new AzureMonitor(settings);
}
