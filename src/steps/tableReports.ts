import type { ReasonCode } from '../errors/dataErrors.ts';
import type { Message } from '../model/message.ts';
import { type Table, tableText } from '../model/table.ts';
import type { BatchResults } from './batchReport.ts';
import type { Fate } from './ledger.ts';
import { messagesOf, type WholeEvent } from './received.ts';

/** What a batch came to for one table, in messages: of this batch, except where it says otherwise. */
export interface TableReport extends Readonly<Record<Fate, number>> {
  /** `database.schema.table`; `unknown` for messages that do not tell. */
  readonly table: string;
  readonly received: number;
  /** Messages parked by earlier batches whose event ended in this one. */
  readonly released: number;
  /** Dead letters, those of released segments included. */
  readonly reasons: ReadonlyMap<ReasonCode, number>;
  readonly unparsedValues: number;
  readonly unknownColumns: number;
  /** Earliest commit time of the changes applied, in milliseconds; undefined when none was, or none told. */
  readonly oldestApplied: number | undefined;
}

/** Step 9: the books by table. A segment does not tell its table before its event is whole. */
export function tableReports(results: Omit<BatchResults, 'operations'>): readonly TableReport[] {
  const { messages, ignored, assembled, folded, settled, letters } = results;
  const books = new Books(messages);
  for (const event of settled.applied) {
    books.enterEvent(event, 'applied');
    books.noteApplied(event.change.table, event.change.time);
  }
  for (const event of settled.superseded) books.enterEvent(event, 'superseded');
  for (const event of folded.excluded) books.enterEvent(event, 'excluded');
  for (const event of settled.withheld) books.enterEvent(event, 'withheld');
  for (const message of ignored) books.enter(UNKNOWN, message, 'excluded');
  for (const message of assembled.withheld) books.enter(UNKNOWN, message, 'withheld');
  for (const message of assembled.superseded) books.enter(UNKNOWN, message, 'superseded');
  for (const message of assembled.parked) books.enter(UNKNOWN, message, 'parked');
  for (const { message, table, error } of letters) {
    const name = nameOf(table);
    books.enter(name, message, 'deadLettered');
    books.noteReason(name, error.code);
  }
  for (const [table, { unparsedValues, unknownColumns }] of folded.notesByTable) {
    const page = books.page(table);
    page.unparsedValues += unparsedValues;
    page.unknownColumns += unknownColumns;
  }
  return books.pages();
}

const UNKNOWN = 'unknown';

/** The name of a table in reports. */
export function nameOf(table: Table | undefined): string {
  return table === undefined ? UNKNOWN : tableText(table);
}

type Page = { -readonly [Part in keyof TableReport]: TableReport[Part] } & {
  readonly reasons: Map<ReasonCode, number>;
};

class Books {
  readonly #ofBatch: ReadonlySet<Message>;
  readonly #pages = new Map<string, Page>();

  constructor(messages: readonly Message[]) {
    this.#ofBatch = new Set(messages);
  }

  pages(): readonly TableReport[] {
    return [...this.#pages.values()];
  }

  page(table: string): Page {
    const known = this.#pages.get(table);
    if (known !== undefined) return known;
    const page: Page = {
      table,
      received: 0,
      applied: 0,
      superseded: 0,
      excluded: 0,
      parked: 0,
      withheld: 0,
      deadLettered: 0,
      released: 0,
      reasons: new Map(),
      unparsedValues: 0,
      unknownColumns: 0,
      oldestApplied: undefined,
    };
    this.#pages.set(table, page);
    return page;
  }

  enterEvent(event: WholeEvent, fate: Fate): void {
    for (const message of messagesOf(event)) this.enter(nameOf(event.change.table), message, fate);
  }

  enter(table: string, message: Message, fate: Fate): void {
    const page = this.page(table);
    if (this.#ofBatch.has(message)) {
      page.received += 1;
      page[fate] += 1;
    } else {
      page.released += 1;
    }
  }

  noteReason(table: string, code: ReasonCode): void {
    const { reasons } = this.page(table);
    reasons.set(code, (reasons.get(code) ?? 0) + 1);
  }

  noteApplied(table: Table, time: string | null): void {
    const page = this.page(nameOf(table));
    const committed = Date.parse(time ?? '');
    if (!Number.isNaN(committed)) page.oldestApplied = Math.min(page.oldestApplied ?? committed, committed);
  }
}
