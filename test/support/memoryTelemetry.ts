import { type DimensionsOf, type MetricName, type MetricOf, metrics } from '../../src/telemetry/metrics.ts';
import type { Span, Telemetry } from '../../src/telemetry/telemetry.ts';

/** Keeps what it is given, under names like `replica.applied{table=shop.dbo.Items}`. */
export class MemoryTelemetry implements Telemetry {
  /** Sums of counters, other than 0. */
  readonly sums: Record<string, number> = {};
  /** All measurements of histograms, and the last value of gauges. */
  readonly measured: Record<string, number[]> = {};
  readonly spans: (Span & { readonly failed: boolean })[] = [];

  add<Name extends MetricOf<'counter'>>(name: Name, amount: number, dimensions: DimensionsOf<Name>): void {
    const key = keyOf(name, dimensions);
    if (amount !== 0) this.sums[key] = (this.sums[key] ?? 0) + amount;
  }

  measure<Name extends MetricOf<'histogram'>>(
    name: Name,
    value: number,
    dimensions: DimensionsOf<Name>,
  ): void {
    const key = keyOf(name, dimensions);
    this.measured[key] = [...(this.measured[key] ?? []), value];
  }

  set<Name extends MetricOf<'gauge'>>(name: Name, value: number, dimensions: DimensionsOf<Name>): void {
    this.measured[keyOf(name, dimensions)] = [value];
  }

  async trace<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
    let failed = true;
    try {
      const result = await work();
      failed = false;
      return result;
    } finally {
      this.spans.push({ ...span, failed });
    }
  }
}

function keyOf(name: MetricName, dimensions: Readonly<Record<string, string>>): string {
  const parts = metrics[name].dimensions.map((dimension) => `${dimension}=${dimensions[dimension]}`);
  return parts.length === 0 ? name : `${name}{${parts.join(',')}}`;
}
