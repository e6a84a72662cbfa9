import { createServices } from './createServices.ts';
import { assert } from './errors/bug.ts';
import { registerReplicate } from './functions/replicate.ts';
import { registerSweep } from './functions/sweep.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings/readSettings.ts';

let services: Services | undefined;

// Registering comes first: what is thrown before it makes the host see "0 functions" and stay silent, what is
// thrown after it fails loudly.
registerReplicate(started);
registerSweep(started);

services = createServices(readSettings(process.env));

function started(): Services {
  assert(services !== undefined, 'the app did not start');
  return services;
}
