import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replicate } from '../../src/pipeline.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { anotherInstance, testServices } from '../support/testServices.ts';

const event = insertEvent(7, 3);

test('a split event that is broken puts every segment aside, with its own bytes and source', async () => {
  const services = testServices();
  const data = [`{"eventsource":{"db":"shop"`, `,"schema":5}`, `}`];
  const bodies = data.map((part, segmentindex) =>
    jsonMessage(event, { segmentindex, finalsegment: segmentindex === 2, data: part }),
  );
  const messages = bodies.map((body, index) => hubMessages([body], 100 + index, String(index)));
  for (const [index, batch] of messages.entries()) {
    const { report } = await replicate(batch, services);
    assert.equal(report.deadLettered, index === 2 ? 1 : 0);
    if (index === 2) assert.deepEqual([report.released, report.reasons], [2, { 'wrong-type': 3 }]);
  }
  const letters = [...services.deadLetters.letters.values()];
  assert.deepEqual(
    letters.map(({ message }) => [message.source.partition, message.source.sequenceNumber]).sort(),
    [
      ['0', '100'],
      ['1', '101'],
      ['2', '102'],
    ],
  );
  for (const { message, error } of letters) {
    assert.equal(error.code, 'wrong-type');
    assert.match(error.message, /^schema in eventsource is a number/);
    assert.deepEqual(message, messages[Number(message.source.partition)]?.[0]);
  }
  assert.deepEqual(services.parking.parked(), []);
  assert.deepEqual(services.store.items(), []);
});

test('a split event without a key names its table; one that is refused names its key too', async () => {
  const services = testServices();
  const keyless = insertEvent(8, 4, { pkkey: [] });
  services.store.fault = () => ({
    outcome: { kind: 'refused', reason: 'Cosmos DB answered 400' },
    done: false,
  });
  for (const sent of [keyless, event]) {
    const [first, second] = splitMessages(sent, { form: 'text', base: 0, cuts: [50] });
    assert.ok(first !== undefined && second !== undefined);
    await replicate(hubMessages([first]), services);
    await replicate(hubMessages([second], 1), services);
  }
  const letters = [...services.deadLetters.letters.values()];
  assert.deepEqual(services.deadLetters.reasons(), [
    'no-key',
    'no-key',
    'refused-by-cosmos',
    'refused-by-cosmos',
  ]);
  for (const { table, key, error } of letters) {
    assert.deepEqual(table, { db: 'shop', schema: 'dbo', name: 'Items' });
    assert.deepEqual(key, error.code === 'no-key' ? [] : [{ column: 'Id', value: '7' }]);
  }
  assert.deepEqual(services.parking.parked(), []);
});

test('a segment that contradicts an earlier one of its batch is put aside, and the event goes on', async () => {
  const services = testServices();
  const [s0, s1] = splitMessages(event, { form: 'text', base: 0, cuts: [50] });
  assert.ok(s0 !== undefined && s1 !== undefined);
  const other = jsonMessage(event, { finalsegment: false, data: 'other' });
  const { report, letters } = await replicate(hubMessages([s0, other, s1]), services);
  assert.deepEqual([report.applied, report.deadLettered, report.reasons], [2, 1, { 'segment-conflict': 1 }]);
  assert.match(letters[0]?.error.message ?? '', /^segment 0 differs from the one that came first$/);
  assert.deepEqual(letters[0]?.message.body, other);
  assert.deepEqual(services.store.items(), expectedItems([event]));
});

test('a segment that contradicts a parked one is put aside, the parked one stays, and the event goes on', async () => {
  const services = testServices();
  const [s0, s1] = splitMessages(event, { form: 'text', base: 0, cuts: [50] });
  assert.ok(s0 !== undefined && s1 !== undefined);
  await replicate(hubMessages([s0]), services);
  const other = jsonMessage(event, { finalsegment: false, data: 'other' });
  const { report } = await replicate(hubMessages([other], 1), anotherInstance(services));
  assert.deepEqual([report.parked, report.deadLettered, report.reasons], [0, 1, { 'segment-conflict': 1 }]);
  assert.deepEqual(services.parking.parked(), [`${event.logicalid}#0`]);
  const done = await replicate(hubMessages([s1], 2), services);
  assert.deepEqual([done.report.applied, done.report.released], [1, 1]);
  assert.deepEqual(services.store.items(), expectedItems([event]));
  assert.deepEqual(services.parking.parked(), []);
});

test('two ends that come in different batches break the event, and all its segments are put aside', async () => {
  const services = testServices();
  const part = (segmentindex: number, finalsegment: boolean) =>
    jsonMessage(event, { segmentindex, finalsegment, data: 'x' });
  await replicate(hubMessages([part(2, false)]), services);
  await replicate(hubMessages([part(3, true)], 1), services);
  const { report } = await replicate(hubMessages([part(4, true)], 2), services);
  assert.deepEqual([report.deadLettered, report.reasons], [1, { 'segment-conflict': 3 }]);
  assert.deepEqual(services.parking.parked(), []);
});

test('one poisonous message among 1,000 is put aside and holds up none of the others', async () => {
  const poisons = [
    Buffer.alloc(0),
    Buffer.from('\xff\xfe'),
    Buffer.from('{'),
    avroMessage(event).subarray(0, 40),
    jsonMessage(event, { data: '{}' }),
    avroMessage({ ...event, pkkey: [] }),
    jsonMessage(event, { operation: 'NOP' }),
    jsonMessage(event, { segmentindex: -1 }),
    jsonMessage(insertEvent(5000, 9), { data: JSON.stringify(jsonData(insertEvent(5000, 10))) }),
  ];
  for (const poison of poisons) {
    const services = testServices();
    const events = Array.from({ length: 999 }, (_, index) => insertEvent(index, index + 100));
    const bodies: Buffer[] = events.map((sent, index) =>
      index % 2 === 0 ? jsonMessage(sent) : avroMessage(sent),
    );
    const { report, letters } = await replicate(hubMessages(bodies.toSpliced(500, 0, poison)), services);
    assert.deepEqual([report.applied, report.deadLettered, report.rows], [999, 1, 999]);
    assert.equal(letters[0]?.message.source.sequenceNumber, '500');
    assert.deepEqual(letters[0]?.message.body, poison);
    assert.equal(services.store.items().length, 999);
    assert.deepEqual(services.store.received, { create: 999, read: 0, replace: 0 });
  }
});

test('the same message put aside twice is one dead letter', async () => {
  const services = testServices();
  for (let delivery = 0; delivery < 2; delivery += 1) {
    await replicate(hubMessages([Buffer.from('junk'), jsonMessage(event, { data: '[]' })]), services);
  }
  assert.deepEqual(services.deadLetters.reasons(), ['unknown-format', 'wrong-type']);
});

test('an Avro event that is broken waits for a segment 0 only when it is numbered from 1', async () => {
  const broken = avroData(event).subarray(0, -1);
  for (const [segmentindex, parked] of [
    [0, 0],
    [1, 1],
  ] as const) {
    const services = testServices();
    const { report } = await replicate(hubMessages([avroMessage(event, broken, { segmentindex })]), services);
    assert.deepEqual([report.parked, report.deadLettered], [parked, 1 - parked]);
  }
});
