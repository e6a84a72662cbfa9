import { createServices } from './createServices.ts';
import { assert } from './errors/bug.ts';
import { registerMonitoring } from './functions/registerMonitoring.ts';
import { registerReplicate } from './functions/replicate.ts';
import { registerSweep } from './functions/sweep.ts';
import { registerWatermark } from './functions/watermark.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings/readSettings.ts';
import { startMonitoring } from './telemetry/startMonitoring.ts';

let services: Services | undefined;

// Registering comes first: what is thrown before it makes the host see "0 functions" and stay silent, what is
// thrown after it fails loudly.
registerReplicate(started);
registerSweep(started);

const settings = readSettings(process.env);
const created = createServices(settings);
services = created;

if (settings.transactions !== undefined) registerWatermark(started, settings.transactions);

const { telemetry } = settings;
if (telemetry !== undefined) {
  registerMonitoring(async () => {
    const monitoring = await startMonitoring(telemetry);
    services = { ...created, telemetry: monitoring };
    return monitoring;
  });
}

function started(): Services {
  assert(services !== undefined, 'the app did not start');
  return services;
}
