import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from '@azure/cosmos';
import { OutageError } from '../../src/errors/outageError.ts';
import { CosmosProgressStore } from '../../src/transactions/cosmosProgressStore.ts';
import type { ProgressOperation, ProgressOutcome } from '../../src/transactions/progressStore.ts';
import { FaultyHttpClient, type HttpFault } from '../support/faultyHttpClient.ts';
import { startTestDatabase, type TestDatabase } from '../support/testDatabase.ts';

const names = { database: 'replica', container: 'rows', transactions: 'transactions' };
const { signal } = new AbortController();

let http: FaultyHttpClient;
let server: TestDatabase;
let container: Container;
let store: CosmosProgressStore;

before(async () => {
  http = new FaultyHttpClient();
  server = await startTestDatabase(names, http);
  container = server.database.container(names.transactions);
  store = new CosmosProgressStore(container);
});
after(() => server.close());

let keys = 0;
function fresh(fields: object = {}): { readonly id: string; readonly pkkey: string; readonly item: object } {
  keys += 1;
  const [id, pkkey] = [`id-${keys}`, `db:${keys}`];
  return { id, pkkey, item: { id, pkkey, ...fields } };
}

async function one(operation: ProgressOperation): Promise<ProgressOutcome> {
  const [outcome] = await store.execute([operation], signal);
  assert.ok(outcome);
  return outcome;
}

test('items are created once, read, and replaced only if nobody else has written them', async () => {
  const { item, ...address } = fresh();
  assert.deepEqual(await one({ kind: 'read', ...address }), { kind: 'missing' });
  assert.equal((await one({ kind: 'create', ...address, item })).kind, 'ok');
  assert.deepEqual(await one({ kind: 'create', ...address, item }), { kind: 'outrun' });
  const read = await one({ kind: 'read', ...address });
  assert.ok(read.kind === 'ok' && read.etag !== undefined);
  const replace = { kind: 'replace', ...address, item, etag: read.etag } as const;
  const replaced = await one(replace);
  assert.ok(replaced.kind === 'ok' && replaced.etag !== undefined && replaced.etag !== read.etag);
  assert.deepEqual(await one(replace), { kind: 'outrun' });
});

test('many operations are answered in their order, in requests that the service takes', async () => {
  const many = Array.from({ length: 120 }, () => fresh());
  const outcomes = await store.execute(
    many.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  assert.ok(outcomes.every(({ kind }) => kind === 'ok'));
  const { id, pkkey } = fresh();
  const reads = await store.execute(
    [...many, { id, pkkey }].map((each) => ({ kind: 'read', id: each.id, pkkey: each.pkkey })),
    signal,
  );
  assert.deepEqual(
    reads.slice(0, -1).map((read) => (read.kind === 'ok' ? (read.stored as { id: string }).id : read.kind)),
    many.map((each) => each.id),
  );
  assert.deepEqual(reads.at(-1), { kind: 'missing' });
});

test('open transactions come by ascending commit, those of other databases and those that have ended do not', async () => {
  const commits = ['0000:00000000000000000003', '0000:00000000000000000001', '0001:00000000000000000000'];
  const made = [
    ...commits.map((commit) => fresh({ db: 'shop', status: 'BEGIN', commit })),
    fresh({ db: 'bank', status: 'BEGIN', commit: commits[0] }),
    fresh({ db: 'shop', status: 'END', commit: commits[0] }),
  ];
  await store.execute(
    made.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  const commitsOf = async (most: number) =>
    (await store.open('shop', most, signal)).map(({ stored }) => (stored as { commit: string }).commit);
  assert.deepEqual(await commitsOf(10), [commits[1], commits[0], commits[2]]);
  assert.deepEqual(await commitsOf(2), [commits[1], commits[0]]);
  const [first] = await store.open('shop', 1, signal);
  assert.ok(first !== undefined && first.etag.length > 0);
});

test('transactions with boundaries to send are found, ended or not, by ascending commit', async () => {
  const [first, second, third] = ['4', '5', '6'].map((digit) => `0000:${digit.padStart(20, '0')}`);
  const made = [
    fresh({ db: 'post', status: 'END', commit: second, outbox: true }),
    fresh({ db: 'post', status: 'BEGIN', commit: first, outbox: true }),
    fresh({ db: 'post', status: 'END', commit: third }),
    fresh({ db: 'bank', status: 'END', commit: first, outbox: true }),
  ];
  await store.execute(
    made.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  const commitsAfter = async (after: string | undefined) =>
    (await store.unsent('post', 10, after, signal)).map(
      ({ stored }) => (stored as { commit: string }).commit,
    );
  assert.deepEqual(await commitsAfter(undefined), [first, second]);
  assert.deepEqual(await commitsAfter(first), [second]);
});

test('ended transactions whose rows are to be numbered are found, those after a commit only where one is told', async () => {
  const [first, second, third] = ['4', '5', '6'].map((digit) => `0000:${digit.padStart(20, '0')}`);
  const made = [
    fresh({ db: 'crm', status: 'END', commit: second, unnumbered: true }),
    fresh({ db: 'crm', status: 'END', commit: first, unnumbered: true }),
    fresh({ db: 'crm', status: 'END', commit: third }),
    fresh({ db: 'bank', status: 'END', commit: first, unnumbered: true }),
  ];
  await store.execute(
    made.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  const commitsAfter = async (after: string | undefined, most = 10) =>
    (await store.unnumbered('crm', most, after, signal)).map(
      ({ stored }) => (stored as { commit: string }).commit,
    );
  assert.deepEqual(await commitsAfter(undefined), [first, second]);
  assert.deepEqual(await commitsAfter(undefined, 1), [first]);
  assert.deepEqual(await commitsAfter(first), [second]);
});

test('transactions that carry progress are found in all databases, the last written first: a low commit was beyond the limit', async () => {
  const streams = { 'g/post': { db: 'post', commit: `0000:${'0'.repeat(20)}`, arrived: 1 } };
  const carried = (partition: string) => ({ [partition]: { streams } });
  const create = (db: string, commit: string, partition: string) =>
    one({ kind: 'create', ...fresh({ db, commit, carries: true, _ces: { carried: carried(partition) } }) });
  await create('post', '3', '0');
  await one({ kind: 'create', ...fresh({ db: 'post', commit: '4', _ces: {} }) });
  // Times of items are in seconds.
  await sleep(1_100);
  await create('bank', '1', '1');
  assert.deepEqual(await store.carrying(10, signal), [carried('1'), carried('0')]);
  assert.deepEqual(await store.carrying(1, signal), [carried('1')]);
});

test('databases that nobody knows of any more are those of open transactions', async () => {
  const commit = `0000:${'0'.repeat(20)}`;
  const made = [
    fresh({ db: 'lost', status: 'BEGIN', commit }),
    fresh({ db: 'found', status: 'BEGIN', commit }),
    fresh({ db: 'over', status: 'END', commit }),
  ];
  await store.execute(
    made.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  const known = ['found', 'shop', 'bank', 'post'];
  assert.deepEqual(await store.databases(known, 10, signal), ['lost']);
  assert.deepEqual((await store.databases(['shop', 'bank', 'post'], 1, signal)).length, 1);
});

test('reads whose answers do not fit into one are asked for again: large transactions held up what was parked', async () => {
  const made = [fresh({ n: 1 }), fresh({ n: 2 }), fresh({ n: 3 })];
  await store.execute(
    made.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  http.faults = [
    { kind: 'operations', answers: { 1: { statusCode: 413 }, 2: { statusCode: 413 } } },
    { kind: 'operations', answers: { 1: { statusCode: 413 } } },
  ];
  const outcomes = await store.execute(
    made.map(({ id, pkkey }) => ({ kind: 'read', id, pkkey })),
    signal,
  );
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'ok' && (outcome.stored as { n: number }).n),
    [1, 2, 3],
  );
});

describe('what goes wrong is an outcome', () => {
  const cases: readonly (readonly [string, HttpFault, RegExp])[] = [
    [
      'throttled',
      { kind: 'operations', answers: { 0: { statusCode: 429, retryAfterMilliseconds: 40 } } },
      /40/,
    ],
    ['unknown', { kind: 'operations', answers: { 0: { statusCode: 449 } } }, /status 449/],
    ['unknown', { kind: 'status', status: 503 }, /the request failed: 503/],
    ['unknown', { kind: 'resetBefore' }, /ECONNRESET/],
    ['unknown', { kind: 'resetAfter' }, /ECONNRESET/],
  ];
  for (const [kind, fault, text] of cases) {
    test(`${JSON.stringify(fault)} is ${kind}`, async () => {
      http.faults = [fault];
      const outcome = await one({ kind: 'create', ...fresh() });
      http.faults = [];
      assert.equal(outcome.kind, kind);
      assert.match(JSON.stringify(outcome), text);
    });
  }

  test('a container that is not there is an outage, for the query too', async () => {
    const none = new CosmosProgressStore(server.database.container('none'));
    const [outcome] = await none.execute([{ kind: 'create', ...fresh() }], signal);
    assert.deepEqual(outcome, { kind: 'unknown', reason: 'the container does not exist' });
    await assert.rejects(none.open('shop', 1, signal), OutageError);
  });

  test('no answer by the deadline is unknown', async () => {
    http.faults = [{ kind: 'silence' }];
    const aborted = AbortSignal.timeout(20);
    const [outcome] = await store.execute([{ kind: 'create', ...fresh() }], aborted);
    http.faults = [];
    assert.equal(outcome?.kind, 'unknown');
  });
});

test('items of large transactions go in requests of their own: together they were refused, each time', async () => {
  const sizes: number[] = [];
  const { items } = container;
  const counted = {
    items: {
      bulk: (...args: Parameters<typeof items.bulk>) => {
        sizes.push(JSON.stringify(args[0]).length);
        return items.bulk(...args);
      },
    },
  } as unknown as Container;
  const large = Array.from({ length: 3 }, () => fresh({ text: 'x'.repeat(900_000) }));
  const outcomes = await new CosmosProgressStore(counted).execute(
    large.map((each) => ({ kind: 'create', ...each })),
    signal,
  );
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['ok', 'ok', 'ok'],
  );
  assert.ok(sizes.length === 3 && Math.max(...sizes) < 2_000_000);
});
