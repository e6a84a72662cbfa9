import { DefaultAzureCredential } from '@azure/identity';
import {
  type Attributes,
  type Context,
  type Counter,
  defaultTextMapGetter,
  type Gauge,
  type Histogram,
  type Meter,
  metrics as metricsApi,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type Logger, logs, SeverityNumber } from '@opentelemetry/api-logs';
import { flushAzureMonitor, shutdownAzureMonitor, useAzureMonitor } from 'applicationinsights';
import type { TelemetrySettings } from '../settings/telemetrySettings.ts';
import { type MetricName, metrics } from './metrics.ts';
import type { LogLine, Monitoring } from './monitoring.ts';
import type { Span, TraceParent } from './telemetry.ts';

/** Sends to Application Insights through OpenTelemetry. One per process: the library's state is global. */
export class AzureMonitor implements Monitoring {
  readonly #instruments: Readonly<Record<MetricName, Instrument>>;
  readonly #tracer: Tracer;
  readonly #logger: Logger;

  constructor({ connectionString, identity }: TelemetrySettings) {
    useAzureMonitor({
      azureMonitorExporterOptions: {
        connectionString,
        // A collector on the same machine may speak plain HTTP, nobody else.
        allowInsecureConnection: loopback.test(connectionString),
        // What cannot be sent is not left behind on the disk.
        disableOfflineStorage: true,
        ...(identity !== undefined && { credential: credentialOf(identity.clientId) }),
      },
      // A span a batch is little. By default most of them would be left out.
      tracesPerSecond: 0,
      samplingRatio: 1,
      // The host reports requests and the process already.
      enableStandardMetrics: false,
      enablePerformanceCounters: false,
      enableAutoCollectPerformance: false,
      enableLiveMetrics: false,
      // It would keep the process alive after an unhandled rejection, which must end it.
      enableAutoCollectExceptions: false,
      // Every request to Cosmos DB and Blob storage would be a record of its own, with the address in it.
      instrumentationOptions: Object.fromEntries(instrumentations.map((name) => [name, { enabled: false }])),
    });
    const meter = metricsApi.getMeter(SCOPE);
    this.#instruments = Object.fromEntries(
      Object.keys(metrics).map((name) => [name, instrumentOf(name as MetricName, meter)]),
    ) as Record<MetricName, Instrument>;
    this.#tracer = trace.getTracer(SCOPE);
    this.#logger = logs.getLogger(SCOPE);
  }

  add(name: MetricName, amount: number, dimensions: Attributes): void {
    this.#instruments[name](amount, dimensions);
  }

  measure(name: MetricName, value: number, dimensions: Attributes): void {
    this.#instruments[name](value, dimensions);
  }

  set(name: MetricName, value: number, dimensions: Attributes): void {
    this.#instruments[name](value, dimensions);
  }

  trace<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
    const { name, attributes, parent } = span;
    return this.#tracer.startActiveSpan(name, { attributes }, contextOf(parent), async (active) => {
      try {
        return await work();
      } catch (error) {
        // The message may quote what it stumbled over.
        const message = error instanceof Error ? error.name : typeof error;
        active.setStatus({ code: SpanStatusCode.ERROR, message });
        throw error;
      } finally {
        active.end();
      }
    });
  }

  log({ level, message, functionName, invocationId, parent }: LogLine): void {
    const severityNumber = severities[level];
    if (severityNumber === undefined) return;
    const attributes = {
      ...(functionName !== undefined && { functionName }),
      ...(invocationId !== undefined && { invocationId }),
    };
    this.#logger.emit({ severityNumber, body: message, attributes, context: contextOf(parent) });
  }

  async close(): Promise<void> {
    await flushAzureMonitor();
    await shutdownAzureMonitor();
  }
}

const SCOPE = 'ces-replica';

const loopback = /(^|;)IngestionEndpoint=http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/i;

const instrumentations = ['http', 'azureSdk', 'mongoDb', 'mySql', 'postgreSql', 'redis', 'redis4'] as const;

/** What the host shows by default, and nothing below it. */
const severities: Readonly<Partial<Record<LogLine['level'], SeverityNumber>>> = {
  information: SeverityNumber.INFO,
  warning: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  critical: SeverityNumber.FATAL,
};

type Instrument = (value: number, dimensions: Attributes) => void;

function instrumentOf(name: MetricName, meter: Meter): Instrument {
  const { kind, unit, meaning: description } = metrics[name];
  switch (kind) {
    case 'counter': {
      const counter: Counter = meter.createCounter(name, { unit, description });
      return (value, dimensions) => counter.add(value, dimensions);
    }
    case 'histogram': {
      const histogram: Histogram = meter.createHistogram(name, { unit, description });
      return (value, dimensions) => histogram.record(value, dimensions);
    }
    case 'gauge': {
      const gauge: Gauge = meter.createGauge(name, { unit, description });
      return (value, dimensions) => gauge.record(value, dimensions);
    }
    default:
      return kind satisfies never;
  }
}

function credentialOf(clientId: string | undefined): DefaultAzureCredential {
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}

/** The host's span as the parent, so that what the app reports belongs to the invocation. */
function contextOf(parent: TraceParent | undefined): Context {
  if (parent?.traceParent === undefined) return ROOT_CONTEXT;
  const carrier = { traceparent: parent.traceParent, tracestate: parent.traceState ?? '' };
  return propagation.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}
