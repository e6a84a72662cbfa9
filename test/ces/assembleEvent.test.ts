import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Assembly, assembleEvent } from '../../src/ces/assembleEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { payloadBytes } from '../../src/model/segment.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { anyEvent, shuffled } from '../support/eventArbitrary.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { assemble, changeOf } from '../support/readBody.ts';
import { type SplitForm, splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';

const forms: readonly SplitForm[] = ['text', 'latin1', 'base64', 'raw', 'avro'];
const base = fc.constantFrom(0 as const, 1 as const);
const cuts = fc.array(fc.nat(800), { minLength: 1, maxLength: 6 });
const event = insertEvent(1, 1);

for (const form of forms) {
  test(`${form}: an event cut anywhere, from index 0 or 1, in any order, is the uncut event`, () => {
    fc.assert(
      fc.property(
        anyEvent.chain((sent) =>
          fc.record({
            uncut: fc.constant(form === 'avro' ? avroMessage(sent) : jsonMessage(sent)),
            messages: fc
              .record({ form: fc.constant(form), base, cuts })
              .chain((split) => shuffled(splitMessages(sent, split))),
          }),
        ),
        ({ uncut, messages }) => {
          assert.deepEqual(changeOf(...messages), changeOf(uncut));
        },
      ),
      { numRuns: 200 },
    );
  });

  test(`${form}: no strict subset of the segments makes an event of its own`, () => {
    fc.assert(
      fc.property(
        anyEvent.chain((sent) =>
          fc.record({ form: fc.constant(form), base, cuts }).chain((split) => {
            const messages = splitMessages(sent, split);
            return fc.record({
              sent: fc.constant(sent),
              messages: fc.constant(messages),
              subset: fc.shuffledSubarray(messages, { minLength: 1, maxLength: messages.length - 1 }),
            });
          }),
        ),
        ({ messages, subset }) => {
          const assembly = assemble(subset);
          // An empty segment 0 adds nothing: what follows it is the event already.
          if (assembly.state === 'whole') assert.deepEqual(assembly.change, changeOf(...messages));
          else assert.equal(assembly.state, 'incomplete');
        },
      ),
      { numRuns: 200 },
    );
  });
}

test('an event is whole exactly when its last segment has come, at every cut', () => {
  for (const form of forms) {
    for (let cut = 1; cut < 400; cut += 1) {
      const [first, second] = splitMessages(event, { form, base: 0, cuts: [cut] });
      assert.ok(first !== undefined && second !== undefined);
      assert.equal(assemble([first]).state, 'incomplete', `${form} at ${cut}`);
      assert.equal(assemble([second]).state, 'incomplete', `${form} at ${cut}`);
      assert.equal(assemble([second, first]).state, 'whole', `${form} at ${cut}`);
    }
  }
});

test('an event that is not split is whole with index 0 and with index 1', () => {
  for (const segmentindex of [0, 1]) {
    assert.equal(assemble([jsonMessage(event, { segmentindex })]).state, 'whole');
    assert.equal(assemble([avroMessage(event, avroData(event), { segmentindex })]).state, 'whole');
  }
  assert.equal(assemble([jsonMessage(event, { segmentindex: 2 })]).state, 'incomplete');
});

test('a broken event from index 1 is broken at once where it shows its beginning, else it waits for segment 0', () => {
  const broken = { segmentindex: 1, data: '{"eventsource":{}}' };
  assertBroken(assemble([jsonMessage(event, broken)]), 'missing-attribute');
  const base64 = Buffer.from(' { "eventrow" :').toString('base64');
  assertBroken(
    assemble([jsonMessage(event, { segmentindex: 1, data: undefined, data_base64: base64 })]),
    'invalid-json',
  );
  assertBroken(assemble([jsonMessage(event, { segmentindex: 1, data: {} })]), 'missing-attribute');
  assert.equal(assemble([jsonMessage(event, { segmentindex: 1, data: '"a":1}' })]).state, 'incomplete');
  const avro = avroMessage(event, avroData(event).subarray(1), { segmentindex: 1 });
  assert.equal(assemble([avro]).state, 'incomplete');
});

test('the start of an event inside an image is not taken for the start of the event', () => {
  const inside = insertEvent(1, 1, { current: JSON.stringify({ Id: '1', Name: '{"eventsource":{}}' }) });
  const cut = Buffer.from(JSON.stringify(jsonData(inside))).indexOf('{\\\\\\"eventsource');
  assert.ok(cut > 0);
  const [first, second] = splitMessages(inside, { form: 'text', base: 0, cuts: [cut] });
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(assemble([second]).state, 'incomplete');
  assert.equal(assemble([first, second]).state, 'whole');
});

test('two ends, or a segment behind the end, are a conflict', () => {
  const at = (segmentindex: number, finalsegment: boolean) =>
    jsonMessage(event, { segmentindex, finalsegment });
  for (const bodies of [
    [at(0, true), at(1, true)],
    [at(1, true), at(2, false)],
    [at(0, false), at(3, false), at(2, true)],
  ]) {
    const text = assertBroken(assemble(bodies), 'segment-conflict');
    assert.match(text, /two ends/);
  }
});

test('an event above the limit is broken, whatever is missing of it, and nothing of it is joined', () => {
  for (const form of forms) {
    const segments = splitMessages(event, { form, base: 0, cuts: [100] }).map((body) => readMessage(body));
    const bytes = segments.reduce((sum, { payload }) => sum + payloadBytes(payload), 0);
    assert.equal(assembleEvent(segments, bytes).state, 'whole');
    assert.match(assertBroken(assembleEvent(segments, bytes - 1), 'event-too-large'), /at most \d+ are put/);
    assertBroken(assembleEvent(segments.slice(0, 1), 50), 'event-too-large');
  }
});

test('segments of both encodings are a conflict', () => {
  const [json = Buffer.alloc(0)] = splitMessages(event, { form: 'text', base: 0, cuts: [20] });
  const [, avro = Buffer.alloc(0)] = splitMessages(event, { form: 'avro', base: 0, cuts: [20] });
  assert.match(assertBroken(assemble([json, avro]), 'segment-conflict'), /mixes JSON and Avro/);
});

test('a split event with an object as data is broken', () => {
  const bodies = [
    jsonMessage(event, { segmentindex: 0, finalsegment: false, data: {} }),
    jsonMessage(event, { segmentindex: 1, finalsegment: true }),
  ];
  assert.match(assertBroken(assemble(bodies), 'invalid-data'), /object in a split event/);
});

test('an event takes its attributes from its first segment', () => {
  const [first, second] = splitMessages(event, { form: 'text', base: 0, cuts: [20] });
  assert.ok(first !== undefined && second !== undefined);
  const later = Buffer.from(second.toString().replace('"time":"2026', '"time":"2027'));
  assert.equal(changeOf(later, first).time, event.time);
});

/** @returns the text of the error. */
function assertBroken(assembly: Assembly, code: string): string {
  assert.ok(assembly.state === 'broken', assembly.state);
  assert.equal(assembly.error.code, code, assembly.error.message);
  return assembly.error.message;
}
