import type { Table } from '../model/table.ts';
import { type ColumnChoices, columnChoices } from './columnChoices.ts';
import type { ReplicaConfig, TableConfig } from './configSchema.ts';
import { TablePattern } from './tablePattern.ts';

/** One entry under `tables` of REPLICA_CONFIG. */
export interface TableEntry {
  readonly name: string;
  readonly pattern: TablePattern;
  readonly config: TableConfig;
  readonly columns: ColumnChoices;
}

/** Names of single tables first, then patterns; among patterns the order of the document. */
export function tableEntries({ tables = {} }: ReplicaConfig): readonly TableEntry[] {
  const entries = Object.entries(tables).flatMap(([name, config]) => {
    const pattern = TablePattern.parse(name);
    return pattern === undefined ? [] : [{ name, pattern, config, columns: columnChoices(config) }];
  });
  return [
    ...entries.filter(({ pattern }) => pattern.exact),
    ...entries.filter(({ pattern }) => !pattern.exact),
  ];
}

/** The entries for a table, in the order in which they count. */
export function entriesFor(table: Table, entries: readonly TableEntry[]): readonly TableEntry[] {
  const matching = entries.filter(({ pattern }) => pattern.matches(table));
  // Where names of tables differ in case only, that which is written exactly so comes first.
  const named = matching.filter(({ pattern }) => pattern.names(table));
  return [...named, ...matching.filter((entry) => !named.includes(entry))];
}

/** What the first entry says that says something. */
export function firstOf<Value>(
  entries: readonly TableEntry[],
  option: (entry: TableEntry) => Value | undefined,
): Value | undefined {
  for (const entry of entries) {
    const value = option(entry);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Columns that an entry names. */
export function columnsIn({
  key,
  normalize,
  columns: { include, exclude, ...named } = {},
}: TableConfig): readonly string[] {
  return [
    ...(include ?? []),
    ...(exclude ?? []),
    ...(key ?? []),
    ...[normalize, ...Object.values(named)].flatMap((choices) => Object.keys(choices ?? {})),
  ];
}
