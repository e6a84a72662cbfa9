import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { applyRows } from '../../src/replica/applyRows.ts';
import { CosmosStore } from '../../src/replica/cosmosStore.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { StoreOperation, StoreOutcome } from '../../src/replica/replicaStore.ts';
import type { Row } from '../../src/replica/rowStep.ts';
import { FaultyHttpClient, type HttpFault } from '../support/faultyHttpClient.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { startTestDatabase, type TestDatabase } from '../support/testDatabase.ts';
import { purchases } from './changeOf.ts';
import { stateOf } from './rowHistory.ts';

const TTL_S = 60;
const names = { database: 'replica', container: 'rows' };
const signal = new AbortController().signal;

let http: FaultyHttpClient;
let server: TestDatabase;
let container: Container;
let store: CosmosStore;

before(async () => {
  http = new FaultyHttpClient();
  server = await startTestDatabase(names, http);
  container = server.database.container(names.container);
  store = new CosmosStore(container);
});
after(() => server.close());
beforeEach(() => {
  http.faults = [];
  http.bulkBodies.length = 0;
});

let keys = 0;
/** An id that no other test has. */
function freshId(): Row['id'] {
  keys += 1;
  return documentId(purchases, [String(keys)]);
}

const insertOf = (n: number, columns: object = { a: n }) =>
  stateOf({ n, operation: 'INS', columns: new Map(Object.entries(columns)), whole: false });
const largeValues = new MemoryLargeValues();
const itemOf = (id: Row['id'], n: number) => toReplicaItem(id, purchases, insertOf(n), TTL_S);
const create = (id: Row['id'], n = 1): StoreOperation => ({ kind: 'create', id, item: itemOf(id, n) });
const read = (id: Row['id']): StoreOperation => ({ kind: 'read', id });
const replace = (id: Row['id'], etag: string, n = 2): StoreOperation => ({
  kind: 'replace',
  id,
  item: itemOf(id, n),
  etag,
});

async function outcome(operation: StoreOperation): Promise<StoreOutcome> {
  const [only, ...rest] = await store.execute([operation], signal);
  assert.ok(only);
  assert.deepEqual(rest, []);
  return withoutCharge(only);
}

/** The server charges what it likes; a test of its own looks at that. */
function withoutCharge({ charge: _, ...rest }: StoreOutcome): StoreOutcome {
  return rest;
}

async function etagOf(id: Row['id']): Promise<string> {
  const found = await outcome(read(id));
  assert.ok(found.kind === 'ok' && found.etag !== undefined);
  return found.etag;
}

describe('without faults', () => {
  test('a create is done once', async () => {
    const id = freshId();
    assert.equal((await outcome(create(id))).kind, 'ok');
    assert.deepEqual(await outcome(create(id, 2)), { kind: 'outrun' });
  });

  test('a read gives the item and its etag, or tells that there is none', async () => {
    const id = freshId();
    assert.deepEqual(await outcome(read(id)), { kind: 'missing' });
    await outcome(create(id));
    const found = await outcome(read(id));
    assert.ok(found.kind === 'ok');
    const { resource } = await container.item(id, id).read();
    assert.deepEqual(found.stored, resource);
    assert.equal(found.etag, resource?._etag);
    assert.deepEqual(resource?.row, { a: 1 });
  });

  test('a replace is done only if the item is still the one that was read', async () => {
    const id = freshId();
    assert.deepEqual(await outcome(replace(id, '"none"')), { kind: 'missing' });
    await outcome(create(id));
    const etag = await etagOf(id);
    assert.equal((await outcome(replace(id, etag))).kind, 'ok');
    assert.deepEqual(await outcome(replace(id, etag, 3)), { kind: 'outrun' });
    assert.notEqual(await etagOf(id), etag);
  });

  test('outcomes stand in the order of the operations', async () => {
    const ids = Array.from({ length: 100 }, freshId);
    await store.execute(
      ids.filter((_, index) => index % 3 === 0).map((id) => create(id)),
      signal,
    );
    const outcomes = await store.execute(
      ids.map((id, index) => (index % 2 === 0 ? read(id) : create(id))),
      signal,
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ids.map((_, index) => {
        const there = index % 3 === 0;
        return there === (index % 2 === 0) ? 'ok' : there ? 'outrun' : 'missing';
      }),
    );
  });

  // Ids with / \ ? # or % can be created in Cosmos DB but not read, replaced or deleted afterwards.
  test('a row of any key can be created, read and replaced', async () => {
    for (const key of [
      'a/b',
      'a\\b',
      'a?b',
      'a#b',
      '%d5',
      'a%2Fb',
      ' ',
      '',
      '.',
      '..',
      'é😀',
      '\ud800',
      'k'.repeat(3_000),
    ]) {
      const id = documentId(purchases, ['any key', key]);
      assert.equal((await outcome(create(id))).kind, 'ok', key);
      assert.equal((await outcome(replace(id, await etagOf(id)))).kind, 'ok', key);
      assert.equal((await container.item(id, id).read()).resource?.id, id);
      assert.equal((await container.item(id, id).delete()).statusCode, 204, key);
    }
  });

  test('columns of any name come back', async () => {
    const columns = JSON.parse('{"__proto__":"p","constructor":1,"id":2,"ttl":null,"_ts":"t","a/b":true}');
    const row: Row = { id: freshId(), rules: rulesFor(purchases), changes: [insertOf(1, columns)] };
    await applyRows([row], { store, largeValues }, new PatientDeadline(), TTL_S);
    const found = await outcome(read(row.id));
    assert.ok(found.kind === 'ok');
    const stored = found.stored as { readonly row: object };
    assert.deepEqual(Object.entries(stored.row), Object.entries(columns));
    const again = await applyRows([row], { store, largeValues }, new PatientDeadline(), TTL_S);
    assert.equal(again.operations.writes, 0);
  });
});

describe('a bulk request that fails as a whole', () => {
  const kindsAfter = async (fault: HttpFault, operations = [create(freshId()), read(freshId())]) => {
    http.faults = [fault];
    return store.execute(operations, signal);
  };

  test('429 tells how long to wait, and is not repeated by the SDK', async () => {
    const fault: HttpFault = { kind: 'status', status: 429, headers: { 'x-ms-retry-after-ms': '321' } };
    const throttled = { kind: 'throttled', retryAfterMs: 321 };
    assert.deepEqual(await kindsAfter(fault), [throttled, throttled]);
    assert.equal(http.bulkBodies.length, 1);
    assert.equal((await kindsAfter({ kind: 'status', status: 429 }))[0]?.kind, 'throttled');
  });

  for (const status of [401, 403, 408, 410, 424, 449, 500, 503]) {
    test(`${status} leaves open what was done`, async () => {
      const outcomes = await kindsAfter({ kind: 'status', status });
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['unknown', 'unknown'],
      );
    });
  }

  test('an answer that is not JSON leaves open what was done', async () => {
    for (const body of ['<html>Service Unavailable</html>', '', '[]', '{']) {
      for (const status of [200, 503]) {
        const outcomes = await kindsAfter({ kind: 'body', status, body });
        assert.deepEqual(
          outcomes.map(({ kind }) => kind),
          ['unknown', 'unknown'],
          `${status} ${body}`,
        );
      }
    }
  });

  // A single operation that cannot be done must not take the others of its request with it.
  for (const status of [400, 413]) {
    test(`${status} is laid on the operation that causes it`, async () => {
      const ids = [freshId(), freshId(), freshId()];
      const refused: HttpFault = { kind: 'status', status };
      // All three, then the first two together, the first, the second, and the third.
      http.faults = [refused, refused, undefined, refused, undefined];
      const outcomes = await store.execute(
        ids.map((id) => create(id)),
        signal,
      );
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['ok', 'refused', 'ok'],
      );
      assert.deepEqual(outcomes[1], { kind: 'refused', reason: `Cosmos DB answered ${status}` });
      assert.equal((await outcome(read(ids[0] ?? freshId()))).kind, 'ok');
    });
  }

  test('a connection lost before or after the write leaves open what was done', async () => {
    for (const [kind, expected] of [
      ['resetBefore', 'missing'],
      ['resetAfter', 'ok'],
    ] as const) {
      const id = freshId();
      const outcomes = await kindsAfter({ kind }, [create(id)]);
      assert.deepEqual(
        outcomes.map((one) => one.kind),
        ['unknown'],
      );
      assert.equal((await outcome(read(id))).kind, expected);
    }
  });

  test('a request given up at the deadline leaves open what was done', async () => {
    const controller = new AbortController();
    http.faults = [{ kind: 'silence' }];
    const outcomes = store.execute([create(freshId())], controller.signal);
    controller.abort();
    assert.equal((await outcomes)[0]?.kind, 'unknown');
  });

  // Taken for "nothing is stored", this would be a loop of reads and creates without a pause.
  test('a container that does not exist is no answer about an item', async () => {
    const nowhere = new CosmosStore(server.database.container('nowhere'));
    for (const operation of [read(freshId()), create(freshId()), replace(freshId(), '"e"')]) {
      const [only] = await nowhere.execute([operation], signal);
      assert.deepEqual(only, { kind: 'unknown', reason: 'the container does not exist' });
    }
  });

  test('reasons name no values', async () => {
    http.faults = [{ kind: 'resetBefore' }];
    const [only] = await store.execute(
      [{ kind: 'create', id: freshId(), item: { ...itemOf(freshId(), 1), row: { a: 'marker' } } }],
      signal,
    );
    assert.deepEqual(only, { kind: 'unknown', reason: 'the request failed: ECONNRESET' });
  });
});

describe('a bulk request of which some operations fail', () => {
  const cases: readonly (readonly [statusCode: number, outcome: StoreOutcome])[] = [
    [429, { kind: 'throttled', retryAfterMs: 45 }],
    [409, { kind: 'outrun' }],
    [412, { kind: 'outrun' }],
    [400, { kind: 'refused', reason: 'Cosmos DB answered 400' }],
    [413, { kind: 'refused', reason: 'Cosmos DB answered 413' }],
    [404, { kind: 'unknown', reason: 'the container does not exist' }],
    [403, { kind: 'unknown', reason: 'status 403' }],
    [408, { kind: 'unknown', reason: 'status 408' }],
    [410, { kind: 'unknown', reason: 'status 410' }],
    [424, { kind: 'unknown', reason: 'status 424' }],
    [449, { kind: 'unknown', reason: 'status 449' }],
    [500, { kind: 'unknown', reason: 'status 500' }],
    [503, { kind: 'unknown', reason: 'status 503' }],
  ];
  for (const [statusCode, expected] of cases) {
    test(`${statusCode} concerns its operation only`, async () => {
      http.faults = [{ kind: 'operations', answers: { 1: { statusCode, retryAfterMilliseconds: 45 } } }];
      const [first, second, third] = await store.execute(
        [freshId(), freshId(), freshId()].map((id) => create(id)),
        signal,
      );
      assert.equal(first?.kind, 'ok');
      assert.deepEqual(second && withoutCharge(second), expected);
      assert.equal(third?.kind, 'ok');
    });
  }

  test('413 of a read only says that the answer was full: an item is not refused for the size of others', async () => {
    const ids = [freshId(), freshId()];
    await store.execute(
      ids.map((id) => create(id)),
      signal,
    );
    http.faults = [{ kind: 'operations', answers: { 1: { statusCode: 413 } } }];
    const outcomes = await store.execute(
      ids.map((id) => ({ kind: 'read', id })),
      signal,
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['ok', 'deferred'],
    );
  });

  test('429 without a time asks for none', async () => {
    http.faults = [{ kind: 'operations', answers: { 0: { statusCode: 429 } } }];
    const [first] = await store.execute([create(freshId()), create(freshId())], signal);
    assert.deepEqual(first && withoutCharge(first), { kind: 'throttled', retryAfterMs: 0 });
  });

  test('each outcome tells what its operation was charged', async () => {
    http.faults = [
      {
        kind: 'operations',
        answers: { 0: { statusCode: 201, requestCharge: 6.29 }, 1: { statusCode: 409, requestCharge: 1.05 } },
      },
    ];
    const outcomes = await store.execute([create(freshId()), create(freshId())], signal);
    assert.deepEqual(
      outcomes.map(({ charge }) => charge),
      [6.29, 1.05],
    );
  });
});

test('rows are applied through all these faults', async () => {
  http.faults = [
    { kind: 'resetAfter' },
    { kind: 'status', status: 429, headers: { 'x-ms-retry-after-ms': '7' } },
    { kind: 'status', status: 503 },
    { kind: 'resetBefore' },
    { kind: 'status', status: 449 },
  ];
  const rows = Array.from(
    { length: 20 },
    (_, n): Row => ({ id: freshId(), rules: rulesFor(purchases), changes: [insertOf(n + 1)] }),
  );
  const deadline = new PatientDeadline();
  const { results, operations } = await applyRows(rows, { store, largeValues }, deadline, TTL_S);
  assert.deepEqual(results, Array(20).fill({ kind: 'done', applied: [true] }));
  const { requestUnits, ...counts } = operations;
  assert.deepEqual(counts, { reads: 100, writes: 0, failedWrites: 20, largeValues: 0 });
  assert.ok(requestUnits > 0);
  assert.equal(deadline.waits.length, 5);
  for (const { id } of rows) assert.equal((await outcome(read(id))).kind, 'ok');
});
