import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readMessage } from '../../src/ces/readMessage.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { LOGGED_DEAD_LETTERS, MAX_EVENT_BYTES, OVERSIZE_SEGMENTS_AT_ONCE } from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import { sweep } from '../../src/sweep/sweep.ts';
import type { SweepReport } from '../../src/sweep/sweepReport.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { expectedItems } from '../support/expectedItems.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import type { ParkingCall } from '../support/memoryParking.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { anotherInstance, type TestServices, testServices, testSettings } from '../support/testServices.ts';

const event = insertEvent(7, 3);
const forms = ['text', 'latin1', 'base64', 'raw', 'avro'] as const;
const nothing: SweepReport = {
  groups: 0,
  oldestSeconds: 0,
  waiting: 0,
  applied: 0,
  superseded: 0,
  deadLettered: 0,
  released: 0,
  gone: 0,
  forgotten: 0,
  letters: 0,
  finished: true,
};

/** Puts messages into the parking and does no more, as an instance that dies right after it. */
async function park({ parking }: TestServices, bodies: readonly Buffer[]): Promise<void> {
  for (const message of hubMessages(bodies)) await parking.park(readMessage(message.body), message);
}

function later({ parking }: TestServices, seconds: number): Date {
  return new Date(parking.now.getTime() + seconds * 1000);
}

/** A sweep this many seconds after the parking's time. */
async function sweepAfter(services: TestServices, seconds: number): Promise<Partial<SweepReport>> {
  const { report } = await sweep(services, later(services, seconds));
  const { groups, waiting, applied, superseded, deadLettered, released, gone } = report;
  assert.equal(waiting + applied + superseded + deadLettered + released + gone, groups);
  return report;
}

function split(sent: TestEvent, form: (typeof forms)[number], base: 0 | 1, cuts = [400, 500]): Buffer[] {
  return splitMessages(sent, { form, base, cuts });
}

const LIMIT = testSettings.parkedSeconds;
const LIFE = testSettings.tombstoneSeconds;

for (const form of forms) {
  for (const base of [0, 1] as const) {
    test(`${form} from index ${base}: a complete event that a crash left is applied`, async () => {
      const services = testServices();
      await park(services, split(event, form, base));
      assert.deepEqual(await sweepAfter(services, 7), {
        ...nothing,
        groups: 1,
        oldestSeconds: 7,
        applied: 1,
      });
      assert.deepEqual(services.store.items(), expectedItems([event]));
      assert.deepEqual(services.parking.parked(), []);
      assert.deepEqual(services.parking.released(), [event.logicalid]);
      assert.deepEqual(services.deadLetters.reasons(), []);
    });

    test(`${form} from index ${base}: an incomplete event waits, then every segment is a dead letter`, async () => {
      for (const missing of [0, 1, 2]) {
        const services = testServices();
        const bodies = split(event, form, base).toSpliced(missing, 1);
        await park(services, bodies);
        assert.deepEqual(await sweepAfter(services, LIMIT - 1), {
          ...nothing,
          groups: 1,
          oldestSeconds: LIMIT - 1,
          waiting: 1,
        });
        const report = await sweepAfter(services, LIMIT);
        assert.deepEqual([report.deadLettered, report.letters], [1, 2]);
        assert.deepEqual(services.deadLetters.reasons(), ['segments-missing', 'segments-missing']);
        const letters = [...services.deadLetters.letters.values()];
        assert.deepEqual(
          letters.map(({ message }) => message.body).sort(Buffer.compare),
          bodies.sort(Buffer.compare),
        );
        const name = letters[0]?.table?.name;
        assert.equal(name, missing === 0 ? undefined : 'Items');
        assert.deepEqual(services.parking.parked(), []);
        assert.deepEqual(services.store.items(), []);
        assert.deepEqual(await sweepAfter(services, LIMIT), nothing);
      }
    });

    test(`${form} from index ${base}: what is left of an event that was applied is removed without a letter`, async () => {
      const [first = Buffer.of(), second = Buffer.of(), third = Buffer.of()] = split(event, form, base);
      for (const left of [[first], [first, third], [first, second]]) {
        const services = testServices();
        await replicate(hubMessages([first, second, third]), services);
        await replicate(hubMessages(left, 10), anotherInstance(services));
        assert.equal(services.parking.parked().length, left.length);
        assert.equal((await sweepAfter(services, LIMIT)).superseded, 1);
        assert.deepEqual(services.parking.parked(), []);
        assert.deepEqual(services.deadLetters.reasons(), []);
        // The rest of the copy may come even later.
        const { report } = await replicate(hubMessages([second], 20), anotherInstance(services));
        assert.deepEqual([report.superseded, services.parking.parked()], [1, []]);
      }
    });
  }
}

test('segments that do not show their row are dead letters, even of an event that was applied', async () => {
  const services = testServices();
  await replicate(hubMessages([jsonMessage(event)]), services);
  await park(services, split(event, 'text', 0).slice(1));
  assert.equal((await sweepAfter(services, LIMIT)).deadLettered, 1);
  const { error } = [...services.deadLetters.letters.values()][0] ?? {};
  assert.equal(
    error?.message,
    'segments 1, 2 of an event were there, 2 being the last; missing: 0, if there is one; if there is none, the data is broken',
  );
});

test('an incomplete event is superseded by a newer row and not by an older one', async () => {
  for (const [position, fate] of [
    [9, 'superseded'],
    [2, 'deadLettered'],
  ] as const) {
    const services = testServices();
    await replicate(hubMessages([jsonMessage(insertEvent(7, position))]), services);
    await park(services, split(event, 'avro', 1).slice(0, 2));
    assert.equal((await sweepAfter(services, LIMIT))[fate], 1);
    assert.deepEqual(services.store.items(), expectedItems([insertEvent(7, position)]));
  }
});

test('an item of someone else shows nothing; without an answer the event waits on', async () => {
  const services = testServices();
  services.store.put('shop.dbo.Items:7', { id: 'shop.dbo.Items:7', other: true });
  await park(services, split(event, 'text', 0).slice(0, 1));
  services.store.fault = () => ({ outcome: { kind: 'throttled', retryAfterMs: 1 }, done: false });
  assert.equal((await sweepAfter(services, LIMIT)).waiting, 1);
  services.store.fault = () => undefined;
  assert.equal((await sweepAfter(services, LIMIT)).deadLettered, 1);
});

test('the limit counts from the youngest segment, the age from the oldest', async () => {
  const services = testServices();
  const [first = Buffer.of(), , third = Buffer.of()] = split(event, 'text', 0);
  await park(services, [first]);
  services.parking.now = later(services, 1000);
  await park(services, [third]);
  const report = await sweepAfter(services, LIMIT - 1);
  assert.deepEqual([report.waiting, report.oldestSeconds], [1, LIMIT + 999]);
});

// Nothing shows where it begins, so the trigger waits for a segment 0 that may come.
test('a broken event numbered from 1 is a dead letter after the limit', async () => {
  const services = testServices();
  const broken = avroData(event).subarray(0, -1);
  const parts = [broken.subarray(0, 50), broken.subarray(50)];
  const bodies = parts.map((part, index) =>
    avroMessage(event, part, { segmentindex: index + 1, finalsegment: index === 1 }),
  );
  const { report } = await replicate(hubMessages(bodies), services);
  assert.equal(report.parked, 2);
  assert.equal((await sweepAfter(services, LIMIT - 1)).waiting, 1);
  assert.equal((await sweepAfter(services, LIMIT)).deadLettered, 1);
  assert.deepEqual(services.deadLetters.reasons(), ['segments-missing', 'segments-missing']);
  assert.deepEqual(services.parking.parked(), []);
});

test('a complete event that is broken is a dead letter at once, one that is old news is superseded', async () => {
  const services = testServices();
  const part = (segmentindex: number) =>
    jsonMessage(event, { segmentindex, finalsegment: segmentindex === 1, data: 'x' });
  await park(services, [part(0), part(1)]);
  await replicate(hubMessages([jsonMessage(insertEvent(8, 9))]), services);
  await park(services, split(insertEvent(8, 4), 'avro', 0));
  const report = await sweepAfter(services, 0);
  assert.deepEqual([report.deadLettered, report.superseded], [1, 1]);
  assert.deepEqual(services.deadLetters.reasons(), ['invalid-json', 'invalid-json']);
  assert.deepEqual(services.parking.parked(), []);
});

test('segments beside a note are removed; the note goes when no late copy can come any more', async () => {
  const services = testServices();
  const [first = Buffer.of(), ...others] = split(event, 'text', 0);
  await replicate(hubMessages([first]), services);
  await replicate(hubMessages(others, 1), services);
  await park(services, [first]);
  assert.deepEqual(await sweepAfter(services, 0), { ...nothing, groups: 1, released: 1 });
  assert.deepEqual(services.parking.parked(), []);
  assert.deepEqual(await sweepAfter(services, LIFE), nothing);
  assert.deepEqual(services.parking.released(), [event.logicalid]);
  assert.deepEqual(await sweepAfter(services, LIFE + 1), { ...nothing, forgotten: 1 });
  assert.deepEqual(services.parking.released(), []);
});

test('a parked message that cannot be read is put aside and holds up nothing', async () => {
  const services = testServices();
  const [first, second] = hubMessages(split(event, 'text', 0));
  assert.ok(first !== undefined && second !== undefined);
  await services.parking.park(readMessage(first.body), { ...first, body: Buffer.from('junk') });
  await services.parking.park(readMessage(second.body), second);
  await park(services, split(insertEvent(8, 4), 'text', 0));
  const report = await sweepAfter(services, LIMIT);
  assert.deepEqual([report.deadLettered, report.applied], [1, 1]);
  assert.deepEqual(services.deadLetters.reasons(), ['unknown-format']);
  assert.deepEqual(services.parking.parked(), [`${event.logicalid}#1`]);
});

test('an event too large to be put together becomes dead letters a few at a time, complete or not', async () => {
  const count = 2 * OVERSIZE_SEGMENTS_AT_ONCE + 3;
  const cuts = Array.from({ length: count - 1 }, (_, index) => 10 * (index + 1));
  const bodies = split(event, 'avro', 0, cuts);
  assert.equal(bodies.length, count);
  for (const left of [bodies, bodies.slice(1)]) {
    const services = testServices();
    services.parking.bytesOf = () => MAX_EVENT_BYTES / 5;
    await park(services, left);
    let [held, most] = [0, 0];
    services.parking.before = async ({ name }: ParkingCall) => {
      held = name === 'fetch' ? held + 1 : 0;
      most = Math.max(most, held);
    };
    const { report, letters } = await sweep(services, later(services, 1));
    assert.deepEqual([report.deadLettered, report.letters], [1, left.length]);
    assert.ok(letters.every(({ message }) => message.body.length === 0 && message.source.partition === '0'));
    assert.ok(most <= OVERSIZE_SEGMENTS_AT_ONCE, `${most}`);
    assert.deepEqual([...new Set(services.deadLetters.reasons())], ['event-too-large']);
    const kept = [...services.deadLetters.letters.values()].map(({ message }) => message.body);
    assert.deepEqual(kept.sort(Buffer.compare), [...left].sort(Buffer.compare));
    assert.deepEqual(services.parking.parked(), []);
  }
});

test('the missing segment that comes while the sweep gives up is not lost', async () => {
  const services = testServices();
  const [first = Buffer.of(), ...others] = split(event, 'text', 0);
  await park(services, others);
  // The sweep looks again before it gives up; just then the trigger parks the missing segment.
  let looked = false;
  services.parking.before = async (call: ParkingCall) => {
    if (call.name !== 'list' || looked) return;
    looked = true;
    await replicate(hubMessages([first], 9), anotherInstance(services));
  };
  const report = await sweepAfter(services, LIMIT);
  assert.deepEqual([report.waiting, report.deadLettered], [1, 0]);
  assert.deepEqual(services.store.items(), expectedItems([event]));
  assert.deepEqual(services.parking.parked(), []);
});

test('sweeps at once, beside the trigger, lose nothing and put nothing aside twice', async () => {
  const services = testServices();
  const events = Array.from({ length: 60 }, (_, index) => insertEvent(index, index + 10));
  const parts = events.map((sent, index) =>
    split(sent, forms[index % forms.length] ?? 'text', (index % 2) as 0 | 1),
  );
  for (const [index, bodies] of parts.entries())
    await park(services, index % 3 === 0 ? bodies : bodies.slice(1));
  services.parking.before = async () => {
    await setImmediate();
  };
  const firsts = parts.filter((_, index) => index % 3 === 1).flatMap((bodies) => bodies.slice(0, 1));
  await Promise.all([
    sweep(services, later(services, 1)),
    sweep(anotherInstance(services), later(services, 1)),
    replicate(hubMessages(firsts, 500), anotherInstance(services)),
  ]);
  services.parking.before = async () => {};
  assert.deepEqual(services.store.items().length, 40);
  await Promise.all([
    sweep(services, later(services, LIMIT)),
    sweep(anotherInstance(services), later(services, LIMIT)),
  ]);
  assert.deepEqual(services.deadLetters.reasons(), Array(40).fill('segments-missing'));
  assert.deepEqual(services.parking.parked(), []);
});

test('thousands of complete events are applied in one sweep', async () => {
  const services = testServices();
  const events = Array.from({ length: 3_000 }, (_, id) => insertEvent(id, id + 1));
  for (const [id, sent] of events.entries())
    await park(services, split(sent, id % 2 === 0 ? 'text' : 'avro', id % 4 < 2 ? 0 : 1));
  const report = await sweepAfter(services, 1);
  assert.deepEqual([report.groups, report.applied, report.finished], [3_000, 3_000, true]);
  assert.deepEqual(services.store.items(), expectedItems(events));
  assert.deepEqual(services.parking.parked(), []);
});

test('a sweep stops when its time is over, says so, and the next one goes on', async () => {
  const services = testServices();
  for (let id = 0; id < 50; id += 1) await park(services, split(insertEvent(id, id + 1), 'text', 0));
  services.parking.before = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const { report } = await sweep(services, services.parking.now, 0);
  assert.equal(report.finished, false);
  assert.ok(report.applied < 50, `${report.applied}`);
  services.parking.before = async () => {};
  const rest = await sweepAfter(services, 0);
  assert.deepEqual([rest.finished, (rest.applied ?? 0) + report.applied], [true, 50]);
});

test('of many dead letters only those are handed back that are logged', async () => {
  const services = testServices();
  for (let id = 0; id < 30; id += 1) await park(services, split(insertEvent(id, id + 1), 'text', 0).slice(1));
  const { report, letters } = await sweep(services, later(services, LIMIT));
  assert.deepEqual([report.letters, letters.length], [60, LOGGED_DEAD_LETTERS]);
});

test('all dead letters are counted, those of a sweep that fails later as well', async () => {
  const services = testServices();
  const [first = Buffer.of(), second = Buffer.of()] = split(event, 'text', 0);
  const [whole = [], lost = []] = [split(insertEvent(8, 4), 'avro', 1), split(insertEvent(9, 5), 'avro', 1)];
  await park(services, [first, second, ...lost.slice(1)]);
  await sweep(services, later(services, LIMIT));
  const letters = {
    'replica.dead_lettered{table=shop.dbo.Items,reason=segments-missing}': 2,
    'replica.dead_lettered{table=unknown,reason=segments-missing}': 2,
  };
  assert.deepEqual(services.telemetry.sums, letters);

  await park(services, [...split(event, 'text', 0).slice(1), ...whole]);
  services.parking.before = async (call) => {
    if (call.name === 'markReleased') throw new OutageError('no storage');
  };
  await assert.rejects(sweep(services, later(services, LIMIT)), OutageError);
  const unknown = 'replica.dead_lettered{table=unknown,reason=segments-missing}';
  assert.deepEqual(services.telemetry.sums, { ...letters, [unknown]: 4 });
});

test('an outage fails the sweep and removes nothing', async () => {
  const services = testServices();
  await park(services, split(event, 'text', 0));
  services.parking.before = async (call) => {
    if (call.name === 'markReleased') throw new OutageError('no storage');
  };
  await assert.rejects(sweep(services, services.parking.now), OutageError);
  assert.equal(services.parking.parked().length, 3);
});
