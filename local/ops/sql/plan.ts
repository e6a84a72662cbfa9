import type { DialectName } from './dialect.ts';
import type { TableName } from './tableName.ts';

/** What a script is about. */
export interface Source {
  readonly dialect: DialectName;
  readonly database: string;
  readonly group: string;
  readonly tables: readonly TableName[];
}

/** Everything that a script which sets CES up has to know. */
export interface SetUpPlan extends Source {
  readonly kind: 'set-up';
  /** Host of the Event Hubs namespace, such as `shop.servicebus.windows.net`. */
  readonly namespace: string;
  readonly hub: string;
  readonly credential: string;
  readonly authentication: Authentication;
  readonly partitioning: Partitioning;
  readonly encoding: Encoding;
  readonly messageKb: number;
  /** `include_all_columns = 0`. */
  readonly changedColumnsOnly: boolean;
}

export type Authentication =
  | { readonly kind: 'entra' }
  /** A shared access policy with the right Send; its key never comes near the generator. */
  | { readonly kind: 'key'; readonly policy: string };

export const partitionSchemes = ['None', 'StreamGroup', 'Table', 'Column'] as const;

export type Partitioning =
  | { readonly scheme: 'None' | 'StreamGroup' | 'Table' }
  | { readonly scheme: 'Column'; readonly column: string };

export const encodings = ['JSON', 'Binary'] as const;
export type Encoding = (typeof encodings)[number];

/** How rows that are there already get into the stream. */
export interface SeedPlan extends Source {
  readonly kind: 'seed';
  /** Name of the column that a seed changes, and adds where it is not there. */
  readonly column: string;
  /** What it is set to: rows that have it are not changed again. */
  readonly number: number;
  /** Rows of one statement. */
  readonly rows: number;
}

/** The column of the seed goes. */
export interface SeedEndPlan extends Source {
  readonly kind: 'seed-end';
  readonly column: string;
}

export interface DisablePlan extends Source {
  readonly kind: 'disable';
}

export type Plan = SetUpPlan | SeedPlan | SeedEndPlan | DisablePlan;
