import type { Telemetry, TraceParent } from './telemetry.ts';

/** Telemetry with a backend: it takes the log too, since the host leaves it to an app that reports by itself. */
export interface Monitoring extends Telemetry {
  log(line: LogLine): void;
  /** Sends what is left, and stops. */
  close(): Promise<void>;
}

export interface LogLine {
  readonly level: 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none';
  readonly message: string;
  readonly functionName?: string | undefined;
  readonly invocationId?: string | undefined;
  readonly parent?: TraceParent | undefined;
}
