import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Container } from '@azure/cosmos';
import fc from 'fast-check';
import pMap from 'p-map';
import { replicate } from '../../src/pipeline.ts';
import { CosmosStore } from '../../src/replica/cosmosStore.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { adversarialText } from '../support/adversarialText.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { startTestDatabase, type TestDatabase } from '../support/testDatabase.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const names = { database: 'replica', container: 'rows' };
const CONCURRENCY = 8;
const KEYS = 200;

let server: TestDatabase;
let container: Container;

before(async () => {
  server = await startTestDatabase(names);
  container = server.database.container(names.container);
});
after(() => server.close());

type Key = readonly string[];

/** Composite keys; some of the ids are digests. */
const keys = fc.uniqueArray(fc.array(adversarialText, { minLength: 1, maxLength: 3 }), {
  minLength: KEYS,
  maxLength: KEYS,
  selector: (key) => JSON.stringify(key),
  size: 'max',
});

/** A row of `shop.dbo.<table>`; tables with odd names too. */
function eventOf(key: Key, position: number, operation: 'INS' | 'UPD', tbl: string): TestEvent {
  const columns = key.map((_, index) => `k${index}`);
  return insertEvent(0, position, {
    operation,
    tbl,
    cols: [...columns, 'n'].map((name, index) => ({ name, type: 'nvarchar(max)', index })),
    pkkey: key.map((value, index) => ({ columnname: `k${index}`, value })),
    current: JSON.stringify({
      ...Object.fromEntries(key.map((value, index) => [`k${index}`, value])),
      n: String(position),
    }),
  });
}

/** Avro holds UTF-8, which has no halves of surrogate pairs. */
function messageOf(event: TestEvent, key: Key, index: number): Buffer {
  const asAvro = index % 2 === 0 && key.every((text) => text.isWellFormed());
  return asAvro ? avroMessage(event) : jsonMessage(event);
}

// Ids with / \ ? # or % can be created in Cosmos DB and then neither read, replaced nor deleted.
test('a row of any key is created, replaced, read and deleted under the id that documentId gives', async (t) => {
  const seed = Date.now() % 2 ** 31;
  t.diagnostic(`seed ${seed}`);
  const [rows = []] = fc.sample(keys, { numRuns: 1, seed });
  assert.equal(rows.length, KEYS);
  const tableOf = (index: number): string => (index % 3 === 0 ? 'a/b?c#d%2F e.f' : 'Items');
  const services = { ...testServices(), store: new CosmosStore(container) };
  for (const operation of ['INS', 'UPD'] as const) {
    const events = rows.map((key, index) => {
      const position = index + (operation === 'INS' ? 1 : 1 + KEYS);
      return messageOf(eventOf(key, position, operation, tableOf(index)), key, index);
    });
    const { report } = await replicate(hubMessages(events), services);
    assert.deepEqual([report.applied, report.rows, report.deadLettered], [KEYS, KEYS, 0]);
  }

  const { resources: stored } = await container.items
    .query<number>('SELECT VALUE COUNT(1) FROM c')
    .fetchAll();
  assert.deepEqual(stored, [KEYS], 'as many items as keys');
  await pMap(
    rows,
    async (key, index) => {
      const id = documentId({ db: 'shop', schema: 'dbo', name: tableOf(index) }, key);
      const what = `${JSON.stringify(key)} ${id}`;
      const item = container.item(id, id);
      const { resource } = await item.read();
      assert.deepEqual(Object.values(resource?.key ?? {}), key, what);
      assert.equal(resource.row.n, String(index + 1 + KEYS), what);
      const { statusCode } = await item.replace({ ...resource, row: { n: 'replaced' } });
      assert.equal(statusCode, 200, what);
      assert.equal((await item.read()).resource?.row.n, 'replaced', what);
      assert.equal((await item.delete()).statusCode, 204, what);
      assert.equal((await item.read()).statusCode, 404, what);
    },
    { concurrency: CONCURRENCY },
  );
});
