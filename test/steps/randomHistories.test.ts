import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replicate } from '../../src/pipeline.ts';
import { RecentItems } from '../../src/replica/recentItems.ts';
import { shuffled } from '../support/eventArbitrary.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { anotherInstance, testServices } from '../support/testServices.ts';

/** Few rows, so that changes of the same row meet; every event has a position of its own in the log. */
const ROWS = 4;

const change = fc.record({
  id: fc.nat(ROWS - 1),
  operation: fc.constantFrom('INS', 'UPD', 'DEL'),
  name: fc.string({ unit: 'grapheme', maxLength: 8 }),
  form: fc.constantFrom(
    'text' as const,
    'latin1' as const,
    'base64' as const,
    'raw' as const,
    'avro' as const,
  ),
  base: fc.constantFrom(0 as const, 1 as const),
  // Not at 0: an empty first segment would not be needed, and nothing would wait for it.
  cuts: fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 4 }),
});

type ChangeOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function toEvent({ id, operation, name }: ChangeOf<typeof change>, index: number): TestEvent {
  const image = JSON.stringify({ Id: String(id), Name: `漢${name}` });
  const images = operation === 'DEL' ? { old: image, current: '{}' } : { current: image };
  return insertEvent(id, index + 1, { operation, ...images });
}

interface History {
  readonly events: readonly TestEvent[];
  readonly batches: readonly { readonly bodies: readonly Buffer[]; readonly instance: number }[];
}

/** @param copies whether messages come again */
function histories(copies: boolean): fc.Arbitrary<History> {
  return fc.array(change, { minLength: 1, maxLength: 8 }).chain((changes) => {
    const events = changes.map(toEvent);
    const bodies = changes.flatMap((made, index) => splitMessages(events[index] ?? insertEvent(0, 1), made));
    return fc
      .record({
        arrived: fc.subarray(copies ? bodies : []).chain((again) => shuffled([...bodies, ...again])),
        ends: fc.array(fc.nat(bodies.length * 2), { maxLength: 8 }),
        instances: fc.array(fc.nat(1), { minLength: 10, maxLength: 10 }),
      })
      .map(({ arrived, ends, instances }) => {
        const bounds = [
          0,
          ...ends.map((end) => Math.min(end, arrived.length)).sort((a, b) => a - b),
          arrived.length,
        ];
        const cut = bounds.slice(1).map((end, index) => arrived.slice(bounds[index], end));
        return {
          events,
          batches: cut.map((batch, index) => ({ bodies: batch, instance: instances[index] ?? 0 })),
        };
      });
  });
}

async function run({ batches }: History) {
  const one = testServices();
  const instances = [
    { ...one, recentItems: new RecentItems(10_000) },
    { ...anotherInstance(one), recentItems: new RecentItems(1_000) },
  ];
  let first = 0;
  for (const { bodies, instance } of batches) {
    const { report } = await replicate(hubMessages(bodies, first), instances[instance] ?? one);
    first += bodies.length;
    assert.equal(report.messages, bodies.length);
    assert.equal(report.applied + report.superseded + report.parked, bodies.length);
    assert.equal(report.deadLettered, 0);
  }
  return one;
}

test('any events, cut anywhere, in any order and batches, end in the replica, and nothing stays parked', async () => {
  await fc.assert(
    fc.asyncProperty(histories(false), async (history) => {
      const { store, parking, deadLetters } = await run(history);
      assert.deepEqual(store.items(), expectedItems(history.events));
      assert.deepEqual(parking.parked(), []);
      assert.equal(deadLetters.letters.size, 0);
    }),
    { numRuns: 300 },
  );
});

test('copies of any messages change nothing of the replica, and no message goes unaccounted', async () => {
  await fc.assert(
    fc.asyncProperty(histories(true), async (history) => {
      const { store, deadLetters } = await run(history);
      assert.deepEqual(store.items(), expectedItems(history.events));
      assert.equal(deadLetters.letters.size, 0);
    }),
    { numRuns: 300 },
  );
});

test('instances that work at the same time converge, and nothing stays parked', async () => {
  await fc.assert(
    fc.asyncProperty(histories(false), fc.scheduler(), async ({ events, batches }, scheduler) => {
      const one = testServices();
      one.parking.before = scheduler.scheduleFunction(async () => {});
      one.store.gate = scheduler.scheduleFunction(async () => {});
      const two = anotherInstance(one);
      let first = 0;
      const runs = batches.map(({ bodies, instance }) => {
        const messages = hubMessages(bodies, first);
        first += bodies.length;
        return replicate(messages, instance === 0 ? one : two);
      });
      await scheduler.waitFor(Promise.all(runs));
      assert.deepEqual(one.store.items(), expectedItems(events));
      assert.deepEqual(one.parking.parked(), []);
    }),
    { numRuns: 200 },
  );
});
