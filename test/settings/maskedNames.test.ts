import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DataError } from '../../src/errors/dataError.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import type { ReplicaConfig, TableConfig } from '../../src/settings/configSchema.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { changeOf } from '../replica/changeOf.ts';

/** Each line is one name to SQL Server with a collation that ignores case, Turkish ones included. */
const names = [
  ['Id', 'ID', 'id', 'İd', 'ıd'],
  ['Email', 'EMAIL', 'email'],
  ['Straße', 'STRASSE', 'STRAẞE'],
  ['οδος', 'ΟΔΟΣ', 'οδοσ'],
  ['constructor', 'Constructor'],
] as const;
const columnName = fc.constantFrom(...names).chain((same) => fc.constantFrom(...same));
const isSame = (a: string, b: string): boolean =>
  names.some((same) => same.some((one) => one === a) && same.some((one) => one === b));

/** Patterns, and whether they are for the table `Shop.dbo.Lines`. */
const patterns = new Map([
  ['Shop.dbo.Lines', true],
  ['SHOP.DBO.LİNES', true],
  ['shop.dbo.[lines]', true],
  ['*.*.lin*', true],
  ['s*P.*.*S', true],
  ['*.*.*', true],
  ['store.dbo.lines', false],
  ['*.*.line', false],
  ['*.*.[lin*]', false],
]);

const choices: fc.Arbitrary<TableConfig> = fc.record({
  columns: fc.record(
    {
      mask: fc.dictionary(columnName, fc.constantFrom('hash' as const, { fixed: '*' })),
      exclude: fc.array(columnName, { maxLength: 2 }),
      include: fc.array(columnName, { minLength: 1, maxLength: 4 }),
      types: fc.dictionary(columnName, fc.constant('text' as const)),
    },
    { requiredKeys: ['mask'] },
  ),
});
const config: fc.Arbitrary<ReplicaConfig> = fc.record({
  tables: fc.dictionary(fc.constantFrom(...patterns.keys()), choices, { maxKeys: 4 }),
});

const secretOf = (column: string) => `secret${names.findIndex((same) => same.some((one) => one === column))}`;

// A mask of `email` must not leave `EMAIL` in the clear, wherever it stands and whatever else is said of it.
test('what any entry for a table masks or excludes in any case shows nowhere, and what none does is there', () => {
  let hidden = 0;
  let shown = 0;
  fc.assert(
    fc.property(config, fc.tuple(...names.map((same) => fc.constantFrom(...same))), (document, columns) => {
      const rules = new RuleBook(document, 0, 'salt').of({ db: 'Shop', schema: 'dbo', name: 'Lines' });
      const [key = ''] = columns;
      const change = changeOf({
        operation: 'INS',
        table: { db: 'Shop', schema: 'dbo', name: 'Lines' },
        types: columns.map((column) => [column, 'nvarchar(50)']),
        key: [[key, secretOf(key)]],
        current: columns.map((column) => [column, secretOf(column)]),
      });
      const entries = Object.entries(document.tables ?? {}).flatMap(([pattern, one]) =>
        patterns.get(pattern) === true ? [one.columns ?? {}] : [],
      );
      const isNamed = (column: string, some: readonly string[]) => some.some((name) => isSame(name, column));
      const isHidden = (column: string) =>
        entries.some(({ mask = {}, exclude = [] }) => isNamed(column, [...Object.keys(mask), ...exclude]));
      const text = textOf(() => {
        const [row] = rowChanges(change, rules).rows;
        assert.ok(row !== undefined);
        return JSON.stringify(toReplicaItem(row.id, rules.table, row.state, 60));
      });
      // The list to include is that of one entry, which this test does not choose.
      const hasLists = entries.some(({ include }) => include !== undefined);
      for (const column of columns) {
        if (isHidden(column)) hidden += 1;
        else if (!hasLists && !text.startsWith('key-excluded')) shown += 1;
        else continue;
        assert.equal(!text.includes(secretOf(column)), isHidden(column), `${column} in ${text}`);
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(hidden > 500 && shown > 500, `${hidden} hidden, ${shown} shown`);
});

function textOf(item: () => string): string {
  try {
    return item();
  } catch (error) {
    if (error instanceof DataError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
