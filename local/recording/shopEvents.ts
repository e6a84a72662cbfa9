import { Log, type Lsn } from '../simulation/lsn.ts';
import type { Random } from '../simulation/random.ts';
import type { RowImage, SourceEvent } from '../simulation/sourceEvent.ts';
import type { Statement, Texts, Transaction } from './shopHistory.ts';
import { SHOP_SCHEMA, type ShopSource, type ShopTable, shopSources } from './shopSources.ts';

/** An event of the shop, and the database that sends it. */
export interface ShopEvent {
  readonly event: SourceEvent;
  readonly source: ShopSource;
}

const START_MS = Date.UTC(2026, 7, 7, 6, 0, 0);
const TRANSACTION_INTERVAL_MS = 7 * 60_000;

/** Runs the transactions and tells their changes in the order of commits, as each database was set up to. */
export function shopEvents(history: readonly Transaction[], random: Random): ShopEvent[] {
  const databases = new Map(
    shopSources.map((source) => [source, { streamGroup: random.guid(), log: new Log(random) }]),
  );
  const rows = new Map<string, Texts>();
  return history.flatMap((statements, transaction) => {
    const places = statements.map(placeOf);
    const source = places[0]?.source;
    const database = source && databases.get(source);
    if (database === undefined || places.some((place) => place.source !== source)) {
      throw new RangeError(`transaction ${transaction} is not one of a single database`);
    }
    const { begin, commit } = database.log.nextTransaction();
    const time = new Date(START_MS + transaction * TRANSACTION_INTERVAL_MS).toISOString();
    const moment = { streamGroup: database.streamGroup, beginLsn: begin, commitLsn: commit, time };
    return places.map((place, index) => ({
      source: place.source,
      event: run(place, rows, { ...moment, commitTime: time, sequence: index + 1 }),
    }));
  });
}

interface Place {
  readonly statement: Statement;
  readonly source: ShopSource;
  readonly table: ShopTable;
}

interface ShopMoment {
  readonly streamGroup: string;
  readonly beginLsn: Lsn;
  readonly commitLsn: Lsn;
  readonly time: string;
  readonly commitTime: string;
  readonly sequence: number;
}

function placeOf(statement: Statement): Place {
  const name = tableName(statement);
  for (const source of shopSources) {
    const table = source.tables.find((candidate) => candidate.name === name);
    if (table !== undefined) return { statement, source, table };
  }
  throw new RangeError(`the shop has no table ${name}`);
}

function tableName(statement: Statement): string {
  if ('insert' in statement) return statement.insert;
  return 'update' in statement ? statement.update : statement.remove;
}

/** Changes the row and tells how. */
function run({ statement, source, table }: Place, rows: Map<string, Texts>, moment: ShopMoment): SourceEvent {
  const key = 'insert' in statement ? table.key.map((column) => statement.row[column] ?? '') : statement.key;
  const place = JSON.stringify([source.db, table.name, key]);
  const old = rows.get(place);
  if ('insert' in statement ? old !== undefined : old === undefined) {
    throw new RangeError(`the shop cannot do this with row ${place}`);
  }
  const current =
    'insert' in statement ? statement.row : 'update' in statement ? { ...old, ...statement.set } : undefined;
  if (current === undefined) rows.delete(place);
  else rows.set(place, current);

  const partial = source.form.changedColumnsOnly && 'update' in statement;
  const sent = Object.entries(table.columns)
    .map(([name, type], index) => ({ name, type, index }))
    .filter(({ name }) => !partial || table.key.includes(name) || Object.hasOwn(statement.set, name));
  const image = (row: Texts | undefined): RowImage =>
    row === undefined ? [] : sent.map(({ name }) => [name, row[name] ?? null] as const);
  return {
    ...moment,
    operation: old === undefined ? 'INS' : current === undefined ? 'DEL' : 'UPD',
    db: source.db,
    schema: SHOP_SCHEMA,
    table: table.name,
    columns: sent,
    key: table.key.map((columnname, index) => ({ columnname, value: key[index] ?? '' })),
    old: image(old),
    current: image(current),
    // The shop is told by CES alone.
    tableSequence: 0,
    whole: { columns: sent, old: image(old), current: image(current) },
  };
}
