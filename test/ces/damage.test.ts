import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assembleEvent } from '../../src/ces/assembleEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { dataErrors } from '../../src/errors/dataErrors.ts';
import { avroData, avroMessage } from '../support/avroMessage.ts';
import { caseFile, caseNames } from '../support/caseFile.ts';
import { dataErrorOf } from '../support/dataErrorOf.ts';
import { jsonData, jsonMessage } from '../support/jsonMessage.ts';
import { assemble } from '../support/readBody.ts';
import { insertEvent } from '../support/testEvent.ts';

/** Stands in every value of the row and its key, as text and as digits. */
const MARK = 'S3CR3T';
const MARK_NUMBER = '471147114711';

const secret = insertEvent(1, 1, {
  pkkey: [{ columnname: 'Id', value: `${MARK} ${MARK_NUMBER}` }],
  old: `{"Id":"${MARK}","Name":"position ${MARK_NUMBER}"}`,
  current: `{"Id":"${MARK}","Name":"at position ${MARK_NUMBER}","N":${MARK_NUMBER}}`,
});
const event = insertEvent(1, 1, { old: '{"Id":"1"}', current: '{"Id":"1","Name":"Zoë 漢 \u{1f600}"}' });

const whole = new Map<string, Buffer>([
  ...caseNames.map((name) => [name, caseFile(name)] as const),
  ['JSON', jsonMessage(event)],
  ['JSON with an object', jsonMessage(event, { data: jsonData(event) })],
  ['Avro', avroMessage(event)],
  ['Avro with finalevent', avroMessage(event, avroData(event, { finalevent: false }))],
  ['Avro with blocks of one', avroMessage(event, avroData(event, { blockItems: 1, sized: true }))],
]);

for (const [name, body] of whole) {
  test(`${name}: cut after any byte it is a data error`, () => {
    assert.equal(assemble([body]).state, 'whole');
    for (let end = 0; end < body.length; end += 1) {
      dataErrorOf(() => readMessage(body.subarray(0, end)));
    }
  });

  test(`${name}: behind any byte it is a data error`, () => {
    for (let start = 1; start < body.length; start += 1) {
      // The white space that JSON starts with does not count.
      const rest = body.subarray(start);
      const result = outcomeOf([rest]);
      assert.ok(result instanceof DataError, `from byte ${start}`);
    }
  });
}

test('data cut after any byte in a whole envelope is a data error', () => {
  const json = JSON.stringify(jsonData(event));
  for (let end = 0; end < json.length; end += 1) {
    assert.ok(
      outcomeOf([jsonMessage(event, { data: json.slice(0, end) })]) instanceof DataError,
      `JSON ${end}`,
    );
  }
  for (const form of [{}, { finalevent: false }, { finalevent: true }, { blockItems: 1, sized: true }]) {
    const avro = avroData(event, form);
    for (let end = 0; end < avro.length; end += 1) {
      const cut = avro.subarray(0, end);
      assert.ok(
        outcomeOf([avroMessage(event, cut)]) instanceof DataError,
        `Avro ${JSON.stringify(form)} ${end}`,
      );
    }
  }
});

interface Damage {
  readonly at: number;
  readonly kind: 'flip' | 'set' | 'insert' | 'remove';
  readonly value: number;
}

function damage(...kinds: Damage['kind'][]): fc.Arbitrary<Damage[]> {
  const one = fc.record({
    at: fc.nat(5000),
    kind: fc.constantFrom(...kinds),
    value: fc.integer({ min: 1, max: 255 }),
  });
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

function damaged(body: Buffer, changes: readonly Damage[]): Buffer {
  let bytes = [...body];
  for (const { at, kind, value } of changes) {
    const place = at % bytes.length;
    if (kind === 'flip') bytes[place] = (bytes[place] ?? 0) ^ (1 << (value % 8));
    else if (kind === 'set') bytes[place] = value;
    else if (kind === 'insert') bytes.splice(place, 0, value, value);
    else bytes = bytes.toSpliced(place, value % 20);
  }
  return Buffer.from(bytes);
}

// Where bytes are missing a value can get into the place of a name, and names are told.
const silent = damage('flip', 'set', 'insert');
const any = damage('flip', 'set', 'insert', 'remove');

for (const [name, body] of [
  ['JSON', jsonMessage(secret)],
  ['JSON with an object', jsonMessage(secret, { data: jsonData(secret) })],
  ['Avro', avroMessage(secret)],
  ['Avro with finalevent', avroMessage(secret, avroData(secret, { finalevent: false }))],
] as const) {
  test(`${name}: damaged anyhow it is a segment or a data error, and the error holds nothing of the row`, () => {
    fc.assert(
      fc.property(silent, (changes) => {
        const result = outcomeOf([damaged(body, changes)]);
        if (result instanceof DataError) assertSilent(result);
      }),
      { numRuns: 3000 },
    );
  });
}

for (const [name, data] of [
  ['JSON', Buffer.from(JSON.stringify(jsonData(secret)))],
  ['Avro', avroData(secret)],
  ['Avro with finalevent', avroData(secret, { finalevent: true })],
] as const) {
  test(`${name}: data damaged in a whole envelope is a change or a data error that holds nothing of the row`, () => {
    fc.assert(
      fc.property(silent, (changes) => {
        const bytes = damaged(data, changes);
        const body =
          name === 'JSON'
            ? jsonMessage(secret, { data: bytes.toString('latin1') })
            : avroMessage(secret, bytes);
        const result = outcomeOf([body]);
        if (result instanceof DataError) assertSilent(result);
      }),
      { numRuns: 3000 },
    );
  });
}

test('where bytes are missing anywhere it is a segment or a data error', () => {
  const bodies = fc.constantFrom(...whole.values());
  fc.assert(
    fc.property(bodies, any, (body, changes) => {
      const result = outcomeOf([damaged(body, changes)]);
      assert.ok(result instanceof DataError || result === 'read');
    }),
    { numRuns: 3000 },
  );
});

test('any bytes at all are a segment or a data error', () => {
  const start = fc.constantFrom('', '{', '\x061.0', '\ufeff{', '\x061.08com.microsoft.SQL.CES.DML.V1');
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), (first, rest) => {
      const result = outcomeOf([Buffer.concat([Buffer.from(first), rest])]);
      assert.ok(result instanceof DataError || result === 'read');
    }),
    { numRuns: 3000 },
  );
});

/** Reads and assembles; anything thrown but a DataError fails the test. */
function outcomeOf(bodies: readonly Buffer[]): DataError | 'read' {
  try {
    const assembly = assembleEvent(bodies.map((body) => readMessage(body)));
    return assembly.state === 'broken' ? assembly.error : 'read';
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

function assertSilent(error: DataError): void {
  assert.ok(error.code in dataErrors);
  assert.ok(!error.message.includes(MARK), error.message);
  assert.ok(!error.message.includes(MARK_NUMBER.slice(0, 4)), error.message);
}
