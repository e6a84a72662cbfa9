import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutageError } from '../../src/errors/outageError.ts';
import type { Message } from '../../src/model/message.ts';
import type { Parking } from '../../src/parking/parking.ts';
import { replicate } from '../../src/pipeline.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { anotherInstance, type TestServices, testServices, testSettings } from '../support/testServices.ts';

const split = insertEvent(1, 1);
const events = [split, insertEvent(2, 2), insertEvent(3, 3), insertEvent(2, 4, { operation: 'UPD' })];
const [s0, s1, s2] = splitMessages(split, { form: 'text', base: 0, cuts: [60, 120] }) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Parks, completes, applies and puts aside. */
const batches: readonly (readonly Message[])[] = [
  hubMessages([s0, avroMessage(insertEvent(2, 2)), Buffer.from('junk')], 0),
  hubMessages([s2, jsonMessage(insertEvent(3, 3))], 3),
  hubMessages([jsonMessage(insertEvent(2, 4, { operation: 'UPD' })), s1, Buffer.from('{')], 5),
];

function assertAllDone({ store, parking, deadLetters }: TestServices): void {
  assert.deepEqual(store.items(), expectedItems(events));
  assert.deepEqual(parking.parked(), []);
  assert.deepEqual(deadLetters.reasons(), ['invalid-json', 'unknown-format']);
}

/** Delivers every batch until it succeeds, as the host does; each attempt after a failure by a new instance. */
async function deliverAll(services: TestServices): Promise<number> {
  let failures = 0;
  for (const batch of batches) {
    for (let instance = services; ; instance = anotherInstance(instance)) {
      try {
        await replicate(batch, instance);
        break;
      } catch (error) {
        assert.ok(error instanceof OutageError, String(error));
        failures += 1;
      }
    }
  }
  return failures;
}

/** Throws at the call of this number, once. */
function outageAt(number: number): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls === number) throw new OutageError('Blob storage: it failed; the batch comes again');
  };
}

async function callsWithoutOutage(): Promise<{ parking: number; deadLetters: number }> {
  const services = testServices();
  let deadLetters = 0;
  services.deadLetters.before = async () => {
    deadLetters += 1;
  };
  await deliverAll(services);
  assertAllDone(services);
  return { parking: services.parking.calls.length, deadLetters };
}

test('an outage at any call to the parking or to the dead letters loses nothing', async () => {
  const { parking, deadLetters } = await callsWithoutOutage();
  assert.ok(parking >= 10 && deadLetters === 2, `${parking} and ${deadLetters} calls`);
  for (let number = 1; number <= parking; number += 1) {
    const services = testServices();
    services.parking.before = outageAt(number);
    assert.equal(await deliverAll(services), 1, `call ${number}`);
    assertAllDone(services);
  }
  for (let number = 1; number <= deadLetters; number += 1) {
    const services = testServices();
    services.deadLetters.before = outageAt(number);
    assert.equal(await deliverAll(services), 1);
    assertAllDone(services);
  }
});

test('an answer of the store that is lost, whether the write was done or not, loses nothing', async () => {
  for (const done of [false, true]) {
    for (let number = 1; number <= 6; number += 1) {
      const services = testServices();
      let operations = 0;
      services.store.fault = () => {
        operations += 1;
        return operations === number
          ? { outcome: { kind: 'unknown', reason: 'status 503' }, done }
          : undefined;
      };
      assert.equal(await deliverAll(services), 0);
      assertAllDone(services);
    }
  }
});

test('a store that does not answer in time is an outage, nothing is released, and the batch can come again', async () => {
  const services = testServices({ settings: { ...testSettings, batchDeadlineSeconds: 0.05 } });
  await replicate(batches[0] ?? [], testServices({ ...services, settings: testSettings }));
  await replicate(batches[1] ?? [], testServices({ ...services, settings: testSettings }));
  services.store.fault = () => ({ outcome: { kind: 'unknown', reason: 'status 503' }, done: false });
  await assert.rejects(replicate(batches[2] ?? [], services), (error) => {
    assert.ok(error instanceof OutageError);
    assert.match(
      error.message,
      /^writing \d of 2 rows to Cosmos DB( \(last answer: .+\))? was not done within 0\.05 s; the batch comes again$/,
    );
    return true;
  });
  assert.equal(services.parking.parked().length, 3);
  assert.deepEqual(services.deadLetters.reasons(), ['unknown-format']);
  services.store.fault = () => undefined;
  await replicate(batches[2] ?? [], testServices({ ...services, settings: testSettings }));
  assertAllDone(services);
});

test('dead letters that cannot be kept fail the batch, and the parked segments stay', async () => {
  const services = testServices();
  const parts = [0, 1].map((index) =>
    jsonMessage(split, { segmentindex: index, finalsegment: index === 1, data: '{}' }),
  );
  const [first = s0, second = s1] = parts;
  await replicate(hubMessages([first]), services);
  services.deadLetters.before = outageAt(1);
  await assert.rejects(replicate(hubMessages([second], 1), services), OutageError);
  assert.equal(services.parking.parked().length, 2);
  await replicate(hubMessages([second], 1), services);
  assert.deepEqual(services.deadLetters.reasons(), ['invalid-json', 'invalid-json']);
  assert.deepEqual(services.parking.parked(), []);
});

// The other calls of a failed attempt went on, waited and tried again beside the attempt that followed.
test('a batch that fails gives up what it has under way', async () => {
  const services = testServices();
  const signals: AbortSignal[] = [];
  const parking: Parking = {
    list: (event) => services.parking.list(event),
    fetch: (event, index) => services.parking.fetch(event, index),
    markReleased: (event) => services.parking.markReleased(event),
    remove: (event, indexes) => services.parking.remove(event, indexes),
    forgetReleased: (event) => services.parking.forgetReleased(event),
    groups: () => services.parking.groups(),
    park: async (segment, _message, signal) => {
      signals.push(signal);
      if (segment.index === 1) throw new OutageError('Blob storage: it failed; the batch comes again');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new OutageError('Blob storage: given up; the batch comes again');
    },
  };
  await assert.rejects(replicate(hubMessages([s0, s1]), { ...services, parking }), OutageError);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});
