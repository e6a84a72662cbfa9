import type { Column } from '../model/change.ts';
import { foldName } from '../model/name.ts';
import type { TableRules } from './tableRules.ts';

/**
 * The columns of the key that REPLICA_CONFIG names, as a message declares them: case does not count, unless two columns
 * differ in nothing else. A name that no column has stays as it is.
 * @returns undefined where the primary key counts.
 */
export function keyNames({ key }: Pick<TableRules, 'key'>, columns: readonly Column[]): typeof key {
  if (key === undefined) return undefined;
  // Changes of a table mostly share one list of columns.
  const found = known.get(columns);
  if (found?.key === key) return found.names;
  const names = key.map((name) => nameIn(columns, name));
  known.set(columns, { key, names });
  return names;
}

type Names = readonly string[];
const known = new WeakMap<readonly Column[], { readonly key: Names; readonly names: Names }>();

function nameIn(columns: readonly Column[], name: string): string {
  if (columns.some((column) => column.name === name)) return name;
  const folded = foldName(name);
  return columns.find((column) => foldName(column.name) === folded)?.name ?? name;
}
