import type { SimulationStatistics } from '../simulation/simulate.ts';
import type { Comparison } from './compareWithOracle.ts';
import type { Totals } from './functionLog.ts';
import type { SettingOfServers } from './localServers.ts';
import type { LeftBlobs } from './readBlobs.ts';
import type { StoredTransactions, StoredWatermark } from './readTransactions.ts';
import { orderIn, type StoredItem, tableOf } from './storedItem.ts';

/** What a run came to; what `--json` prints. */
export interface Summary {
  /** File or folder that was played, or `simulation`. */
  readonly source: string;
  /** Sums over what the function reported for each batch. Every message is counted in exactly one of `applied`,
   * `superseded`, `excluded`, `parked` and `deadLettered`, each time it was delivered. */
  readonly totals: Totals;
  /** Deliveries of a batch after one that failed. */
  readonly redeliveries: number;
  /** Files of a folder that are no messages. */
  readonly skippedFiles: number;
  /** What the Blob containers hold in the end. */
  readonly blobs: LeftBlobs;
  /** What the Cosmos DB container holds in the end. */
  readonly tables: readonly TableCount[];
  /** Only where they are tracked. */
  readonly transactions?: TransactionCounts;
  /** HTTP requests that the servers got while messages were played. */
  readonly requests: { readonly cosmos: number; readonly blob: number };
  /** Time in which messages were played. */
  readonly milliseconds: number;
  /** Warnings and errors of the function: the first ones, and how many there were. */
  readonly log: { readonly lines: readonly string[]; readonly count: number };
  /** Only of a simulated source. */
  readonly simulation?: SimulationStatistics;
  readonly comparison?: Comparison;
  /** Simulated tables that the configuration changes, so that they cannot be compared with the source. */
  readonly notCompared?: readonly string[];
  /** Hashed values are made with a placeholder, since MASK_SALT is not set. */
  readonly placeholderSalt?: true;
  /** App settings that lead to the servers, while these are kept. */
  readonly settings?: Readonly<Record<SettingOfServers, string>>;
}

export interface TableCount {
  /** `db.schema.table`. */
  readonly table: string;
  readonly rows: number;
  readonly tombstones: number;
}

export interface TransactionCounts {
  readonly ended: number;
  /** Of them, ended because partitions were silent. */
  readonly idle: number;
  readonly open: number;
  /** Changes in those that have ended. */
  readonly changes: number;
  /** Numbers of changes that never came. */
  readonly missing: number;
  /** Rows that tell their `data_collection_order`; only where they are to. */
  readonly numberedRows?: number;
  readonly watermarks: readonly StoredWatermark[];
}

/** @param rows undefined where they are not numbered. */
export function countTransactions(
  { transactions, watermarks }: StoredTransactions,
  rows: readonly StoredItem[] | undefined,
): TransactionCounts {
  const ended = transactions.filter(({ status }) => status === 'END');
  return {
    ended: ended.length,
    idle: ended.filter(({ closed_by }) => closed_by === 'idle').length,
    open: transactions.length - ended.length,
    changes: ended.reduce((sum, { event_count }) => sum + (event_count ?? 0), 0),
    missing: ended.reduce((sum, { missing_count = 0 }) => sum + missing_count, 0),
    ...(rows !== undefined && { numberedRows: rows.filter((row) => orderIn(row) !== undefined).length }),
    watermarks: watermarks.map(({ db, lsn, time, open, exceptions }) => ({
      db,
      lsn,
      time,
      open,
      exceptions,
    })),
  };
}

/** In the order of the names. */
export function countTables(items: readonly StoredItem[]): TableCount[] {
  return [...Map.groupBy(items, tableOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, ofTable]) => {
      const tombstones = ofTable.filter(({ deleted }) => deleted === true).length;
      return { table, rows: ofTable.length - tombstones, tombstones };
    });
}
