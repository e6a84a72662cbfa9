import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChangeHead } from '../../src/ces/readChangeHead.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import type { Segment } from '../../src/model/segment.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { changeOf } from '../support/readBody.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';

const forms = ['text', 'latin1', 'base64', 'raw', 'avro'] as const;
/** Names, key and values that need more than one byte a character, and escapes. */
const event = insertEvent(7, 3, {
  operation: 'UPD',
  tbl: 'Größe "x"',
  cols: [
    { name: 'Schlüssel', type: 'nvarchar(9)', index: 0 },
    { name: 'Region', type: 'int', index: 1 },
    { name: 'Name', type: 'nvarchar(50)', index: 2 },
  ],
  pkkey: [
    { columnname: 'Schlüssel', value: 'é\\"€' },
    { columnname: 'Region', value: '12' },
  ],
  old: JSON.stringify({ Schlüssel: 'é\\"€', Region: '12', Name: 'ø' }),
  current: JSON.stringify({ Schlüssel: 'é\\"€', Region: '12', Name: 'ü' }),
});
const whole = changeOf(jsonMessage(event));

function firstOf(sent: TestEvent, form: (typeof forms)[number], base: 0 | 1, cut: number): Segment[] {
  const [first] = splitMessages(sent, { form, base, cuts: [cut] });
  assert.ok(first !== undefined);
  return [readMessage(first)];
}

for (const form of forms) {
  test(`${form}: a first segment of any length tells the truth or nothing`, () => {
    const length = 900;
    let shortest = length;
    let told = 0;
    for (let cut = 1; cut < length; cut += 1) {
      const base = (cut % 2) as 0 | 1;
      const head = readChangeHead(firstOf(event, form, base, cut));
      if (head === undefined) continue;
      shortest = Math.min(shortest, cut);
      const { position, operation, table, columns, key } = whole;
      assert.deepEqual(
        { ...head, old: undefined, columns: names(head) },
        { position, operation, table, columns: names({ columns }), key, old: undefined },
      );
      if (head.old === undefined) continue;
      assert.ok(head.old !== null, `cut ${cut}`);
      if (Object.keys(head.old).length > 0) told += 1;
      for (const [name, value] of Object.entries(head.old))
        assert.equal(value, whole.old?.[name], `cut ${cut}`);
    }
    assert.ok(shortest < 600 && told > 20, `${shortest} ${told}`);
  });

  test(`${form}: an empty old image is known to be empty, in segments from either index`, () => {
    for (const base of [0, 1] as const) {
      const bodies = splitMessages(insertEvent(7, 3), { form, base, cuts: [40, 90, 400, 402] });
      const segments = bodies.map((body) => readMessage(body));
      assert.equal(readChangeHead(segments)?.old, null);
      assert.equal(readChangeHead(segments.slice(1)), undefined);
      assert.equal(readChangeHead(segments.toSpliced(1, 1)), undefined);
    }
  });
}

test('an event without a key, of another position or of two encodings tells nothing', () => {
  const position = insertEvent(7, 4).commitlsn;
  for (const form of ['text', 'avro'] as const) {
    for (const wrong of [{ pkkey: [] }, { commitlsn: position }])
      assert.equal(readChangeHead(firstOf(insertEvent(7, 3, wrong), form, 0, 1000)), undefined);
  }
  const [json] = firstOf(event, 'text', 0, 300);
  const [avro] = firstOf(event, 'avro', 0, 300);
  assert.ok(json !== undefined && avro !== undefined);
  assert.equal(readChangeHead([json, { ...avro, index: 1 }]), undefined);
  assert.equal(readChangeHead([]), undefined);
});

function names({
  columns,
}: {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}) {
  return columns.map(({ name, type }) => [name, type]);
}
