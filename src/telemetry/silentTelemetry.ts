import type { Telemetry } from './telemetry.ts';

/** For an app without a connection string: nothing is kept and nothing is sent. */
export const silentTelemetry: Telemetry = {
  add: () => {},
  measure: () => {},
  set: () => {},
  trace: (_span, work) => work(),
};
