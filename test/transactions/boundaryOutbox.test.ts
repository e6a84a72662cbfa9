import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Boundaries, joinSent, noBoundaries } from '../../src/transactions/boundaries.ts';
import { DATABASES, World } from './boundaryWorld.ts';

const TRANSACTIONS = 3;
/** So low that every run has several pages, and often not enough room. */
const limits = { most: 6, least: 1, page: 2 };

const faults = [
  'none',
  'none',
  'fails before',
  'query fails',
  'note fails',
  'note is done and its answer lost',
  'worker dies before it returns',
  'worker dies after it returned',
  'host dies before it sends',
  'host dies amid sending',
  'host dies after sending',
  'hub refuses all',
  'hub refuses some',
] as const;
const fault = fc.constantFrom(...faults);
const transaction = fc.nat(TRANSACTIONS - 1);
const db = fc.constantFrom(...DATABASES);
const change = fc.record({
  kind: fc.constant('change' as const),
  db,
  transaction,
  number: fc.integer({ min: 1, max: 6 }),
});
const run = fc.record({
  kind: fc.constant('run' as const),
  process: fc.nat(1),
  faults: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fault, fault, fault) },
    // What was refused is forgotten also where no repetition comes as far as handing out.
    { weight: 1, arbitrary: fc.constant(['hub refuses all', 'fails before', 'fails before'] as const) },
  ),
  byHand: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: change },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('end' as const), db, transaction }) },
  { weight: 6, arbitrary: run },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by hand' as const), process: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'both' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set' as const), isOn: fc.boolean() }) },
);

test('whatever dies, fails or is switched off when, BEGIN and the last END arrive, in order, and copies are equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = new World(limits);
      const backwards = goingBack(world);
      for (const one of steps) {
        if (one.kind === 'change') await world.change(one.transaction, one.number, one.db);
        else if (one.kind === 'end') await world.end(one.transaction, one.db);
        else if (one.kind === 'run') await world.run(one.process, one.faults, one.byHand);
        else if (one.kind === 'both') await world.both();
        else if (one.kind === 'set') world.set(one.isOn);
        else await world.byHand(one.process);
      }
      world.set(true);
      for (let runs = 0; runs < 3 + DATABASES.length * TRANSACTIONS; runs += 1) await world.run(0, []);
      const before = world.hub.length;
      await world.run(1, []);
      assert.equal(world.hub.length, before, 'everything is noted');
      checkHub(world);
      assert.deepEqual(backwards, []);
    }),
    { numRuns: 400 },
  );
});

/** What is noted as sent, and how often a transaction has ended, stays noted. @returns where it did not. */
function goingBack({ store }: World): readonly string[] {
  const known = new Map<string, Boundaries>();
  const found: string[] = [];
  store.written = ({ pkkey, _ces }) => {
    const now = (_ces as { readonly boundaries?: Boundaries } | undefined)?.boundaries;
    if (now === undefined) return;
    const before = known.get(pkkey) ?? noBoundaries;
    const sent = joinSent(now.sent, before.sent);
    if (now.revision < before.revision || sent.begin !== now.sent.begin || sent.end !== now.sent.end)
      found.push(pkkey);
    known.set(pkkey, now);
  };
  return found;
}

function checkHub({ hub, store }: World): void {
  const messages = hub.map((text) => JSON.parse(text));
  for (const [, copies] of Map.groupBy(messages, ({ message_id }) => message_id))
    for (const copy of copies) assert.deepEqual(copy, copies[0]);
  for (const item of store.items().filter((one) => 'status' in one)) {
    assert.equal(item['outbox'], undefined);
    const ofIt = messages.filter(({ message_id }) => message_id.startsWith(`${item.pkkey}:`));
    // It began while there was no hub in the settings.
    if (!('boundaries' in (item['_ces'] as object))) {
      assert.deepEqual(ofIt, []);
      continue;
    }
    assert.equal(ofIt[0]?.status, 'BEGIN');
    const revisions = ofIt.flatMap(({ status, message_id }) =>
      status === 'END' ? [Number(message_id.split(':').at(-1))] : [],
    );
    const firsts = [...new Set(revisions)];
    assert.deepEqual(firsts, firsts.toSorted(), 'ENDs come in the order of their revisions');
    if (item['status'] === 'BEGIN') continue;
    const last = ofIt.find(({ message_id }) => message_id.endsWith(`:END:${Math.max(...revisions)}`));
    assert.equal(last?.event_count, item['event_count']);
    assert.deepEqual(last?.data_collections, item['data_collections']);
  }
}

test('a run hands out the oldest of each database, page after page, and no more than the limit', async () => {
  const world = new World({ most: 100, least: 1, page: 20 });
  const few = 3;
  await world.changes(100, 'crm');
  await world.changes(few, 'shop');
  await world.run(0, []);
  const idsOf = (name: string) =>
    world.hub.map((text) => JSON.parse(text).message_id).filter((id) => id.startsWith(`${name}:`));
  assert.equal(idsOf('shop').length, few, 'a database with many leaves room for others');
  assert.deepEqual(idsOf('crm'), idsOf('crm').toSorted(), 'the oldest first');
  assert.equal(world.hub.length, 100);
  assert.ok(world.store.received.unsent > 100 / 20);
  await world.run(0, []);
  assert.equal(new Set(world.hub).size, 100 + few);
  assert.equal(world.hub.length, 100 + few, 'none of them twice');
  await world.run(0, []);
  assert.deepEqual(Object.fromEntries(world.told), { crm: 100, shop: few });
});

test('of databases that all have more than fits each comes first at some time', async () => {
  const world = new World({ most: 1, least: 1, page: 1 });
  for (const one of DATABASES) await world.changes(3, one);
  for (let runs = 0; runs < 4; runs += 1) await world.run(0, []);
  const served = world.hub.map((text) => JSON.parse(text).message_id.split(':')[0]);
  assert.deepEqual(served, ['crm', 'shop', 'crm', 'shop']);
});

// A hub of one throughput unit refuses a backlog that is sent at once, and it would come again whole for ever.
test('after runs that failed less is handed out, and more again when they succeed', async () => {
  const world = new World({ most: 8, least: 1, page: 100 });
  await world.changes(20);
  const sizes: number[] = [];
  for (const fault of ['hub refuses all', 'hub refuses all', 'none', 'none', 'none'] as const) {
    const before = world.hub.length;
    await world.run(0, [fault, fault, fault]);
    sizes.push(world.hub.length - before);
  }
  assert.deepEqual(sizes, [0, 0, 1, 2, 4]);
  assert.equal(world.told.get('shop'), 1 + 2, 'the last are not told yet, those that were refused never');
});

test('a transaction that cannot be read holds up no other', async () => {
  const world = new World();
  const unreadable = {
    id: 'x',
    pkkey: 'x',
    db: 'shop',
    commit: '0000:00000000000000000000',
    outbox: true,
    status: 'BEGIN',
    _ces: {},
  };
  await world.store.execute([{ kind: 'create', id: 'x', pkkey: 'x', item: unreadable }]);
  await world.changes(2);
  await world.run(0, []);
  assert.equal(world.hub.length, 2);
});

test('what one process has noted is not taken back by another that knows less', async () => {
  const world = new World();
  const backwards = goingBack(world);
  const endAgain = async (number: number) => {
    await world.change(0, number);
    await world.end(0);
  };
  await endAgain(1);
  await world.run(0, []);
  await world.run(0, ['note fails']);
  await endAgain(2);
  await world.run(1, []);
  await world.run(1, []);
  await endAgain(3);
  await world.run(0, []);
  await world.run(0, []);
  const last = world.hub.map((text) => JSON.parse(text)).filter(({ status }) => status === 'END');
  assert.deepEqual(
    last.map(({ event_count }) => event_count),
    [1, 2, 3],
  );
  assert.deepEqual(backwards, []);
});

test('an item that is not sent yet has no end of its life', async () => {
  const world = new World();
  await world.change(0, 1);
  await world.end(0);
  const lives = () => world.store.items().map((item) => [item['outbox'], item['ttl']]);
  assert.deepEqual(lives()[0], [true, undefined]);
  await world.run(0, []);
  await world.run(0, []);
  assert.deepEqual(lives()[0], [undefined, 60]);
});

test('what ended and was sent is told again with other counts when more of it comes', async () => {
  const world = new World();
  for (const number of [1, 2]) {
    await world.change(0, number);
    await world.end(0);
    await world.run(0, []);
    await world.run(0, []);
  }
  assert.deepEqual(
    world.hub
      .map((text) => JSON.parse(text))
      .map(({ status, event_count, message_id }) => [status, event_count, message_id]),
    [
      ['BEGIN', null, 'shop:00000000:00000000:0001:BEGIN'],
      ['END', 1, 'shop:00000000:00000000:0001:END:1'],
      ['END', 2, 'shop:00000000:00000000:0001:END:2'],
    ],
  );
});
