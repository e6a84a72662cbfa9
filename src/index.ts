import { createServices } from './createServices.ts';
import { assert } from './errors/bug.ts';
import { registerReplicate } from './functions/replicate.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings/readSettings.ts';

let services: Services | undefined;

// Registering comes first: what is thrown before it makes the host see "0 functions" and stay silent, what is
// thrown after it fails loudly.
registerReplicate(() => {
  assert(services !== undefined, 'the app did not start');
  return services;
});

services = createServices(readSettings(process.env));
