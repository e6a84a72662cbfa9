import type { DimensionsOf, MetricOf } from './metrics.ts';

/** Where the app's figures go. Nothing that is given to it holds values or keys of rows. */
export interface Telemetry {
  /** Adds to a counter. */
  add<Name extends MetricOf<'counter'>>(name: Name, amount: number, dimensions: DimensionsOf<Name>): void;
  /** Takes one measurement into a histogram. */
  measure<Name extends MetricOf<'histogram'>>(
    name: Name,
    value: number,
    dimensions: DimensionsOf<Name>,
  ): void;
  /** Sets a gauge. */
  set<Name extends MetricOf<'gauge'>>(name: Name, value: number, dimensions: DimensionsOf<Name>): void;
  /** Runs `work` as one span of a trace; the span fails when `work` throws. */
  trace<Result>(span: Span, work: () => Promise<Result>): Promise<Result>;
}

export interface Span {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The span of the host that this one belongs to. */
  readonly parent?: TraceParent | undefined;
}

/** W3C trace context, as the host hands it over. */
export interface TraceParent {
  readonly traceParent?: string | undefined;
  readonly traceState?: string | undefined;
}
