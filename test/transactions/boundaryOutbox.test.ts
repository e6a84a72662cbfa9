import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_BOUNDARY_TRANSACTIONS } from '../../src/limits.ts';
import { World } from './boundaryWorld.ts';

const TRANSACTIONS = 4;

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
const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), transaction, number: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('end' as const), transaction }),
  fc.record({
    kind: fc.constant('run' as const),
    process: fc.nat(1),
    first: fault,
    second: fault,
    byHand: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('by hand' as const), process: fc.nat(1) }),
);

test('whatever dies or fails when, BEGIN and the last END arrive, in order, and copies have the same id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = new World();
      for (const one of steps) {
        if (one.kind === 'change') await world.change(one.transaction, one.number);
        else if (one.kind === 'end') await world.end(one.transaction);
        else if (one.kind === 'run') await world.run(one.process, [one.first, one.second], one.byHand);
        else await world.byHand(one.process);
      }
      for (let runs = 0; runs < 3; runs += 1) await world.run(0, ['none', 'none']);
      const before = world.hub.length;
      await world.run(1, ['none', 'none']);
      assert.equal(world.hub.length, before, 'everything is noted');
      checkHub(world);
    }),
    { numRuns: 400 },
  );
});

function checkHub({ hub, store }: World): void {
  const messages = hub.map((text) => JSON.parse(text));
  for (const [, copies] of Map.groupBy(messages, ({ message_id }) => message_id))
    for (const copy of copies) assert.deepEqual(copy, copies[0]);
  for (const item of store.items().filter((one) => 'status' in one)) {
    assert.equal(item['outbox'], undefined);
    const ofIt = messages.filter(({ id }) => id === item.id);
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

test('a run hands out the oldest, and no more than the limit', async () => {
  const world = new World();
  await world.changes(MAX_BOUNDARY_TRANSACTIONS + 1);
  await world.run(0, ['none', 'none']);
  assert.equal(world.hub.length, MAX_BOUNDARY_TRANSACTIONS);
  await world.run(0, ['none', 'none']);
  assert.equal(world.hub.length, MAX_BOUNDARY_TRANSACTIONS + 1);
});

test('an item that is not sent yet has no end of its life', async () => {
  const world = new World();
  await world.change(0, 1);
  await world.end(0);
  const lives = () => world.store.items().map((item) => [item['outbox'], item['ttl']]);
  assert.deepEqual(lives()[0], [true, undefined]);
  await world.run(0, ['none', 'none']);
  await world.run(0, ['none', 'none']);
  assert.deepEqual(lives()[0], [undefined, 60]);
});

test('what ended and was sent is told again with other counts when more of it comes', async () => {
  const world = new World();
  for (const number of [1, 2]) {
    await world.change(0, number);
    await world.end(0);
    await world.run(0, ['none', 'none']);
    await world.run(0, ['none', 'none']);
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
