import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { OutageError } from '../../src/errors/outageError.ts';
import { NUMBERED_PAGE_ROWS } from '../../src/limits.ts';
import { CosmosRowFinder } from '../../src/replica/cosmosRowFinder.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { FoundRow, VersionRange } from '../../src/replica/rowFinder.ts';
import { startTestDatabase, type TestDatabase } from '../support/testDatabase.ts';
import { purchases, versionNumber } from './changeOf.ts';
import { stateOf } from './rowHistory.ts';

const names = { database: 'replica', container: 'rows' };
const { signal } = new AbortController();

let server: TestDatabase;
let container: Container;
let finder: CosmosRowFinder;

before(async () => {
  server = await startTestDatabase(names);
  container = server.database.container(names.container);
  finder = new CosmosRowFinder(
    new Map([
      [undefined, container],
      ['gone', server.database.container('gone')],
    ]),
  );
});
after(() => server.close());

const range = (from: number, to: number): VersionRange => ({
  from: versionNumber(from),
  to: versionNumber(to),
});

async function find(db: string, ...ranges: readonly VersionRange[]): Promise<readonly FoundRow[]> {
  const pages = await Array.fromAsync(finder.find(undefined, db, ranges, signal));
  assert.ok(pages.every(({ length }) => length <= NUMBERED_PAGE_ROWS));
  return pages.flat().sort((a, b) => (a.version < b.version ? -1 : 1));
}

async function put(n: number, key: string, db = purchases.db, place?: number): Promise<void> {
  const operation = n % 2 === 0 ? 'DEL' : 'INS';
  const columns = new Map(operation === 'DEL' ? [] : [['a', n] as const]);
  const state = stateOf({ n, operation, columns, whole: false, place });
  const table = { ...purchases, db };
  const id = documentId(table, [key]);
  await container.items.create({ ...toReplicaItem(id, table, state, 60) });
}

test('rows of a database are found by the version of their newest change, deleted ones, too', async () => {
  for (const n of [1, 2, 3, 4, 5, 6]) await put(n, `${n}`, purchases.db, n === 3 ? 7 : undefined);
  await put(3, '3', 'other');
  const found = await find(purchases.db, range(2, 3), range(5, 5));
  assert.deepEqual(
    found.map(({ version, dataCollectionOrder }) => [version, dataCollectionOrder]),
    [
      [versionNumber(2), undefined],
      [versionNumber(3), 7],
      [versionNumber(5), undefined],
    ],
  );
  assert.deepEqual(found[0]?.table, purchases);
  assert.equal(found[0]?.id, documentId(purchases, ['2']));
  assert.equal((await find('other', range(1, 6))).length, 1);
});

test('a name with quotes in it is a name', async () => {
  const db = `d"b' OR 1=1 --`;
  await put(1, '1', db);
  assert.deepEqual(
    (await find(db, range(1, 1))).map(({ table }) => table),
    [{ ...purchases, db }],
  );
});

test('more rows than a page holds come in pages', async () => {
  const keys = Array.from({ length: NUMBERED_PAGE_ROWS + 2 }, (_, key) => `many ${key}`);
  for (const key of keys) await put(9, key);
  const pages = await Array.fromAsync(finder.find(undefined, purchases.db, [range(9, 9)], signal));
  assert.deepEqual(new Set(pages.flat().map(({ id }) => id)).size, keys.length);
  assert.ok(pages.length > 1);
});

test('a container that is not there is an outage', async () => {
  assert.deepEqual(finder.containers, [undefined, 'gone']);
  await assert.rejects(Array.fromAsync(finder.find('gone', 'db1', [range(1, 1)], signal)), OutageError);
});
