import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogicalId } from '../../src/model/logicalId.ts';
import { replicate } from '../../src/pipeline.ts';
import { sweep } from '../../src/sweep/sweep.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import type { ParkingCall } from '../support/memoryParking.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { anotherInstance, type TestServices, testServices } from '../support/testServices.ts';

const event = insertEvent(7, 3);
const forms = ['text', 'latin1', 'base64', 'raw', 'avro'] as const;
const [s0, s1, s2] = three('text', 0);

function three(form: (typeof forms)[number], base: 0 | 1): [Buffer, Buffer, Buffer] {
  const [a, b, c] = splitMessages(event, { form, base, cuts: [70, 201] });
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  return [a, b, c];
}

/** Runs batches one after the other; message numbers go on. */
async function run(services: TestServices, ...batches: readonly (readonly Buffer[])[]) {
  const reports = [];
  let first = 0;
  for (const batch of batches) {
    const { report } = await replicate(hubMessages(batch, first), services);
    first += batch.length;
    const { messages, applied, superseded, parked, deadLettered } = report;
    assert.equal(applied + superseded + parked + deadLettered, messages);
    reports.push({ applied, superseded, parked, deadLettered, released: report.released });
  }
  return reports;
}

function assertReplicated({ store, parking, deadLetters }: TestServices): void {
  assert.deepEqual(store.items(), expectedItems([event]));
  assert.deepEqual(parking.parked(), []);
  assert.deepEqual(deadLetters.reasons(), []);
}

for (const form of forms) {
  for (const base of [0, 1] as const) {
    const [a, b, c] = three(form, base);
    const orders = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ] as const;

    test(`${form} from index ${base}: segments of one batch, in any order, cost no parking call`, async () => {
      for (const order of orders) {
        const services = testServices();
        assert.deepEqual(await run(services, order), [
          { applied: 3, superseded: 0, parked: 0, deadLettered: 0, released: 0 },
        ]);
        assertReplicated(services);
        assert.deepEqual(services.parking.calls, []);
      }
    });

    test(`${form} from index ${base}: segments of three batches, in any order, end in the replica`, async () => {
      for (const [x, y, z] of orders) {
        const services = testServices();
        assert.deepEqual(await run(services, [x], [y], [z]), [
          { applied: 0, superseded: 0, parked: 1, deadLettered: 0, released: 0 },
          { applied: 0, superseded: 0, parked: 1, deadLettered: 0, released: 0 },
          { applied: 1, superseded: 0, parked: 0, deadLettered: 0, released: 2 },
        ]);
        assertReplicated(services);
      }
    });

    test(`${form} from index ${base}: every instance may see another part`, async () => {
      for (const [x, y, z] of orders) {
        const services = testServices();
        await run(services, [x]);
        await run(anotherInstance(services), [y, x]);
        await run(anotherInstance(services), [z]);
        assertReplicated(services);
      }
    });
  }
}

test('nothing is written before the last segment is there', async () => {
  const services = testServices();
  await run(services, [s0, s2]);
  assert.deepEqual(services.store.items(), []);
  assert.equal(services.parking.parked().length, 2);
});

test('messages that are not split cost no parking call, whatever becomes of them', async () => {
  const services = testServices();
  await run(services, [
    jsonMessage(event),
    jsonMessage(insertEvent(8, 4), { segmentindex: 1 }),
    avroMessage(insertEvent(9, 5)),
    avroMessage(insertEvent(10, 6), avroData(insertEvent(10, 6)), { segmentindex: 1 }),
    jsonMessage(event),
    Buffer.from('{'),
    jsonMessage(insertEvent(11, 7), { data: '{}' }),
  ]);
  assert.deepEqual(services.parking.calls, []);
  assert.equal(services.store.items().length, 4);
});

test('copies in the batch that completes the event are superseded', async () => {
  const services = testServices();
  const copy = Buffer.from(s1.toString().replace('56cb8ff3', '00000000'));
  assert.deepEqual(await run(services, [s0, s1, copy, s2, s2]), [
    { applied: 3, superseded: 2, parked: 0, deadLettered: 0, released: 0 },
  ]);
  assertReplicated(services);
});

test('a copy of a parked segment stays parked once', async () => {
  const services = testServices();
  assert.deepEqual(await run(services, [s0], [s0], [s1, s1]), [
    { applied: 0, superseded: 0, parked: 1, deadLettered: 0, released: 0 },
    { applied: 0, superseded: 0, parked: 1, deadLettered: 0, released: 0 },
    { applied: 0, superseded: 1, parked: 1, deadLettered: 0, released: 0 },
  ]);
  assert.deepEqual(services.parking.parked(), [`${event.logicalid}#0`, `${event.logicalid}#1`]);
});

test('a copy after completion is superseded without a parking call, and nothing stays parked', async () => {
  for (const batches of [[[s0, s1, s2]], [[s0], [s1, s2]]]) {
    const services = testServices();
    await run(services, ...batches);
    const calls = services.parking.calls.length;
    const superseded = { applied: 0, superseded: 1, parked: 0, deadLettered: 0, released: 0 };
    assert.deepEqual(await run(services, [s0], [s2]), [superseded, superseded]);
    assert.equal(services.parking.calls.length, calls);
    assertReplicated(services);
  }
});

test('a copy that another instance gets after completion is superseded, and nothing stays parked', async () => {
  const services = testServices();
  await run(services, [s0], [s1, s2]);
  for (const copy of [s0, s1, s2]) {
    assert.deepEqual(await run(anotherInstance(services), [copy]), [
      { applied: 0, superseded: 1, parked: 0, deadLettered: 0, released: 0 },
    ]);
    assertReplicated(services);
  }
});

test('a whole copy after completion, to another instance, is superseded', async () => {
  const services = testServices();
  await run(services, [s0], [s1, s2]);
  assert.deepEqual(await run(anotherInstance(services), [s2, s1, s0]), [
    { applied: 0, superseded: 3, parked: 0, deadLettered: 0, released: 0 },
  ]);
  assertReplicated(services);
});

// An event completed within one batch does not look for segments that were parked before: the sweep does.
test('a segment parked before all of them come in one batch does not stay parked', async () => {
  const services = testServices();
  const [first, second] = splitMessages(event, { form: 'text', base: 0, cuts: [AFTER_KEY] });
  assert.ok(first !== undefined && second !== undefined);
  await run(services, [first], [first, second]);
  await sweep(services, tooLate(services));
  assertReplicated(services);
});

test('a copy that another instance gets after completion in one batch does not stay parked', async () => {
  const services = testServices();
  const [first, second] = splitMessages(event, { form: 'text', base: 0, cuts: [AFTER_KEY] });
  assert.ok(first !== undefined && second !== undefined);
  await run(services, [first, second]);
  await run(anotherInstance(services), [first]);
  await sweep(services, tooLate(services));
  assertReplicated(services);
});

/** Bytes of `data` up to behind the key. */
const AFTER_KEY = JSON.stringify(jsonData(event)).indexOf('"transaction"');

/** When segments that are parked now have waited long enough. */
function tooLate({ parking, settings }: TestServices): Date {
  return new Date(parking.now.getTime() + settings.parkedSeconds * 1000);
}

test('two instances that finish an event at the same time both apply it, and nothing stays parked', async () => {
  const one = testServices();
  const two = anotherInstance(one);
  await run(one, [s1]);
  one.parking.before = meetAt('list');
  const [first, second] = await Promise.all([run(one, [s0]), run(two, [s2])]);
  assert.deepEqual([first[0]?.parked, second[0]?.parked], [0, 0]);
  assert.equal((first[0]?.applied ?? 0) + (second[0]?.applied ?? 0), 1);
  assert.equal((first[0]?.superseded ?? 0) + (second[0]?.superseded ?? 0), 1);
  assertReplicated(one);
});

test('an instance that finds the segments gone while it fetches them sees that the event is applied', async () => {
  const one = testServices();
  const two = anotherInstance(one);
  await run(one, [s0]);
  const { reached, open, before } = stopAt('fetch');
  one.parking.before = before;
  const late = run(two, [s1, s2]);
  await reached;
  one.parking.before = async () => {};
  await run(anotherInstance(one), [s1, s2]);
  open();
  assert.deepEqual(await late, [{ applied: 0, superseded: 2, parked: 0, deadLettered: 0, released: 0 }]);
  assertReplicated(one);
});

test('a copy that is parked just before the others are removed does not stay parked', async () => {
  const one = testServices();
  await run(one, [s0]);
  const { reached, open, before } = stopAt('remove');
  one.parking.before = before;
  const finishing = run(one, [s1, s2]);
  await reached;
  one.parking.before = async () => {};
  assert.deepEqual(await run(anotherInstance(one), [s1]), [
    { applied: 0, superseded: 1, parked: 0, deadLettered: 0, released: 0 },
  ]);
  open();
  await finishing;
  assertReplicated(one);
});

test('an event that is superseded by a newer change is released like one that is applied', async () => {
  const services = testServices();
  const newer = insertEvent(7, 9, { operation: 'DEL', old: '{"Id":"7"}', current: '{}' });
  await run(services, [jsonMessage(newer)], [s0], [s1]);
  assert.deepEqual(await run(services, [s2]), [
    { applied: 0, superseded: 1, parked: 0, deadLettered: 0, released: 2 },
  ]);
  assert.deepEqual(services.store.items(), expectedItems([newer]));
  assert.deepEqual(services.parking.parked(), []);
});

test('events that differ in the stream group or sequence number only are parked apart', async () => {
  const services = testServices();
  const other = insertEvent(8, 3, { logicalid: event.logicalid.replace(/1$/, '2'), sequencenumber: 2 });
  const [o0 = s0, o1 = s1, o2 = s2] = splitMessages(other, { form: 'text', base: 0, cuts: [70, 201] });
  await run(services, [s0, o1], [o0, s1], [s2, o2]);
  assert.deepEqual(services.store.items(), expectedItems([event, other]));
  assert.deepEqual(services.parking.parked(), []);
});

/** A gate at the first call of this name: `reached` tells when it came, `open` lets it go on. */
function stopAt(name: ParkingCall['name']) {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const before = async (call: ParkingCall): Promise<void> => {
    if (call.name !== name) return;
    arrival.resolve();
    await gate.promise;
  };
  return { reached: arrival.promise, open: () => gate.resolve(), before };
}

/** Lets the first two calls of this name go on only when both have come. */
function meetAt(name: ParkingCall['name']): (call: ParkingCall) => Promise<void> {
  const waiting: (() => void)[] = [];
  const gate = Promise.withResolvers<void>();
  return async (call: { readonly name: string; readonly event: LogicalId }) => {
    if (call.name !== name) return;
    waiting.push(gate.resolve);
    if (waiting.length === 2) gate.resolve();
    await gate.promise;
  };
}
