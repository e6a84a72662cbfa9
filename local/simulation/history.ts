import { Log } from './lsn.ts';
import type { SimulationOptions } from './options.ts';
import { Random } from './random.ts';
import { chooseAction, perform } from './rowChanges.ts';
import { type SourceEvent, toSourceEvent } from './sourceEvent.ts';
import { type Row, TableState } from './tableState.ts';
import { sourceTables } from './tables.ts';

/** What happened in the source: events in commit order, and the tables as they are in the end. */
export interface History {
  readonly events: readonly SourceEvent[];
  readonly tables: readonly TableState[];
  readonly transactions: number;
  readonly keyChanges: number;
}

/** One database with a stream group of its own. */
interface Database {
  readonly streamGroup: string;
  readonly log: Log;
  readonly tables: readonly TableState[];
  /** How far the clock of the server is from UTC. */
  readonly clockOffsetMs: number;
}

const START_MS = Date.UTC(2026, 7, 7, 16, 0, 0);
const TRANSACTION_INTERVAL_MS = 400;
/** Clocks jump back and forth by up to this much: no time is an order. */
const CLOCK_JITTER_MS = 30_000;
const CLOCK_OFFSETS_MS = [2 * 3_600_000, -5 * 3_600_000];
const SMALL_TRANSACTION = 6;
const LARGE_TRANSACTION = 60;
const LARGE_SHARE = 0.05;
/** How often the next change of a transaction is made to the row of the last one. */
const SAME_ROW_SHARE = 0.3;

/** Runs transactions over the tables until there are `options.changes` events. */
export function makeHistory(options: SimulationOptions): History {
  const random = new Random(options.seed, 'history');
  const tables = sourceTables(options.segmentBytes, options.largeValueBytes).map(
    (table) => new TableState(table),
  );
  const databases = makeDatabases(tables, random);
  const events: SourceEvent[] = [];
  let transactions = 0;
  let keyChanges = 0;

  while (events.length < options.changes) {
    const database = random.pick(databases);
    const lsns = database.log.nextTransaction();
    const committedMs = START_MS + transactions * TRANSACTION_INTERVAL_MS + jitter(random);
    const largest = random.chance(LARGE_SHARE) ? LARGE_TRANSACTION : SMALL_TRANSACTION;
    const size = Math.min(random.integer(1, largest), options.changes - events.length);
    let state = random.pick(database.tables);
    let last: Row | undefined;
    const counts = new Map<TableState, number>();

    for (let sequence = 1; sequence <= size; ) {
      const sameRow = last !== undefined && random.chance(SAME_ROW_SHARE) ? state.current(last) : undefined;
      if (sameRow === undefined) state = random.pick(database.tables);
      const action = chooseAction(state, size - sequence + 1, random);
      const changes = perform(action, state, sameRow, options, random);
      if (action === 'changeKey') keyChanges += 1;
      for (const change of changes) {
        const tableSequence = (counts.get(state) ?? 0) + 1;
        counts.set(state, tableSequence);
        for (const row of [change.old, change.current]) if (row !== null) state.setOrder(row, tableSequence);
        const moment = {
          streamGroup: database.streamGroup,
          commitLsn: lsns.commit,
          beginLsn: lsns.begin,
          sequence,
          tableSequence,
          time: isoTime(committedMs + jitter(random)),
          commitTime: isoTime(committedMs + database.clockOffsetMs),
        };
        events.push(toSourceEvent(change, state, moment, options));
        sequence += 1;
        last = change.current ?? undefined;
      }
    }
    transactions += 1;
  }
  return { events, tables, transactions, keyChanges };
}

function makeDatabases(tables: readonly TableState[], random: Random): Database[] {
  const byName = Map.groupBy(tables, (state) => state.table.db);
  return [...byName.values()].map((ownTables, index) => ({
    streamGroup: random.guid(),
    log: new Log(random),
    tables: ownTables,
    clockOffsetMs: CLOCK_OFFSETS_MS[index] ?? 0,
  }));
}

function jitter(random: Random): number {
  return random.integer(-CLOCK_JITTER_MS, CLOCK_JITTER_MS);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
