import type { BatchReport } from '../../src/steps/batchReport.ts';
import type { LogEntry } from '../host/appInstance.ts';

/** Sums over the batches of a run. */
export interface Totals extends Record<CountName, number> {
  readonly batches: number;
}

const countNames = [
  'messages',
  'changes',
  'applied',
  'superseded',
  'excluded',
  'parked',
  'released',
  'deadLettered',
  'reads',
  'writes',
  'failedWrites',
  'unparsedValues',
  'unknownColumns',
] as const satisfies readonly (keyof BatchReport)[];
type CountName = (typeof countNames)[number];

/** Warnings and errors that are kept; the others are only counted. */
const KEPT_LINES = 10;
const REPORT = 'replicated ';

/** Listens to the function: adds up what its batches report, and keeps the first warnings and errors. */
export class FunctionLog {
  /** Warnings and errors, the first {@link KEPT_LINES}. */
  readonly lines: string[] = [];
  /** All warnings and errors. */
  lineCount = 0;
  #batches = 0;
  readonly #counts = new Map<CountName, number>();

  take({ level, message }: LogEntry): void {
    if (level === 'information' && message.startsWith(REPORT)) {
      this.#add(JSON.parse(message.slice(REPORT.length)));
    } else if (level === 'warning' || level === 'error' || level === 'critical') {
      this.lineCount += 1;
      if (this.lines.length < KEPT_LINES) this.lines.push(`${level}: ${message.split('\n', 1)[0]}`);
    }
  }

  totals(): Totals {
    const count = (name: CountName): number => this.#counts.get(name) ?? 0;
    const counts = Object.fromEntries(countNames.map((name) => [name, count(name)]));
    return { ...(counts as Record<CountName, number>), batches: this.#batches };
  }

  #add(report: BatchReport): void {
    this.#batches += 1;
    for (const name of countNames) this.#counts.set(name, (this.#counts.get(name) ?? 0) + report[name]);
  }
}
