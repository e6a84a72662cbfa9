import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeAvroData } from '../../src/ces/decodeAvroData.ts';
import { type AvroForm, avroData } from '../support/avroMessage.ts';
import { avroLong, avroText } from '../support/avroWriter.ts';
import { assertDataError } from '../support/dataErrorOf.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';

const event = insertEvent(7, 3, {
  pkkey: [
    { columnname: 'Id', value: '7' },
    { columnname: 'Part', value: 'ä' },
    { columnname: 'Line', value: '' },
  ],
});
const plain = decodeAvroData(avroData(event));

for (const finalevent of [undefined, false, true]) {
  for (const form of [
    {},
    { sized: true },
    { blockItems: 1 },
    { blockItems: 2, sized: true },
    { blockItems: 1, sized: true },
  ] satisfies AvroForm[]) {
    const written = JSON.stringify({ finalevent, ...form });
    test(`arrays in blocks, with or without sizes, are the same arrays: ${written}`, () => {
      const bytes = avroData(event, { ...form, ...(finalevent !== undefined && { finalevent }) });
      assert.deepEqual(decodeAvroData(bytes), plain);
      assert.equal(plain.key.length, 3);
      assert.equal(plain.columns.length, 2);
    });
  }
}

test('empty arrays are empty', () => {
  const record = decodeAvroData(avroData({ ...event, cols: [], pkkey: [] }));
  assert.deepEqual([record.columns, record.key], [[], []]);
});

test('an empty image is null, however it is written', () => {
  for (const image of ['{}', ' { } ', '', 'null']) {
    for (const form of [{}, { finalevent: false }, { finalevent: true }]) {
      const record = decodeAvroData(avroData({ ...event, old: image, current: image }, form));
      assert.deepEqual([record.old, record.current], [null, null], `${image} ${JSON.stringify(form)}`);
    }
  }
});

test('a replacement character that was sent is kept', () => {
  const current = '{"Id":"7","Name":"a\ufffdb\ufffd"}';
  assert.deepEqual(decodeAvroData(avroData({ ...event, current })).current, {
    Id: '7',
    Name: 'a\ufffdb\ufffd',
  });
});

test('bytes that are no UTF-8 are refused, also beside a replacement character that was sent', () => {
  for (const name of ['aXb', 'a\ufffdXb']) {
    const bytes = avroData({ ...event, current: JSON.stringify({ Id: '7', Name: name }) });
    bytes[bytes.lastIndexOf('X')] = 0xff;
    assertDataError(() => decodeAvroData(bytes), 'invalid-utf8', /^text of an image is not UTF-8$/);
  }
});

for (const where of ['db', 'tbl', 'schema'] as const) {
  test(`a ${where} that is no UTF-8 is refused`, () => {
    const bytes = avroData({ ...event, [where]: 'mark~' });
    bytes[bytes.indexOf('~')] = 0xc3;
    assertDataError(
      () => decodeAvroData(bytes),
      'invalid-utf8',
      /^a name or key value in data is not UTF-8$/,
    );
  });
}

test('bytes behind the record are refused', () => {
  for (const form of [{}, { finalevent: false }]) {
    const bytes = Buffer.concat([avroData(event, form), Buffer.from([0])]);
    assertDataError(
      () => decodeAvroData(bytes),
      'invalid-avro',
      /^data \(\d+ bytes\) does not end as either revision/,
    );
  }
});

test('the record must have a commit time and images that can be JSON', () => {
  for (const broken of [
    avroData(event, { committime: 'yesterday' }),
    avroData({ ...event, old: 'text' }),
    avroData({ ...event, current: '[]' }),
  ]) {
    assertDataError(() => decodeAvroData(broken), 'invalid-avro', /does not end as either revision/);
  }
});

test('an image that is no JSON is named', () => {
  assertDataError(
    () => decodeAvroData(avroData({ ...event, old: '{"a"' })),
    'invalid-json',
    /^eventrow\.old is not/,
  );
});

test('a count of columns that the bytes cannot hold is refused at once', () => {
  for (const count of [2n ** 31n, 2n ** 40n, -(2n ** 40n)]) {
    const bytes = Buffer.concat([
      avroText('db'),
      avroText('dbo'),
      avroText('T'),
      avroLong(count),
      Buffer.alloc(100),
    ]);
    assertDataError(() => decodeAvroData(bytes), 'invalid-avro', /^data is cut short or no CES Data record/);
  }
});

test('either revision is read as what it is, whatever its texts and numbers', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  const image = fc.dictionary(text, fc.option(text), { maxKeys: 4 });
  fc.assert(
    fc.property(
      fc.record({
        db: text,
        schema: text,
        tbl: text,
        cols: fc.array(fc.record({ name: text, type: text, index: fc.nat(1024) }), { maxLength: 4 }),
        pkkey: fc.array(fc.record({ columnname: text, value: text }), { maxLength: 3 }),
        sequencenumber: fc.nat(),
        old: image,
        current: image,
      }),
      fc.constantFrom(undefined, false, true),
      (made, finalevent) => {
        const sent: TestEvent = {
          ...event,
          ...made,
          old: JSON.stringify(made.old),
          current: JSON.stringify(made.current),
        };
        const record = decodeAvroData(avroData(sent, finalevent === undefined ? {} : { finalevent }));
        assert.deepEqual(record.table, { db: made.db, schema: made.schema, name: made.tbl });
        assert.deepEqual(
          record.key,
          made.pkkey.map(({ columnname, value }) => ({ column: columnname, value })),
        );
        assert.equal(record.transaction?.sequencenumber, made.sequencenumber);
        for (const side of ['old', 'current'] as const) {
          const entries = Object.entries(made[side]);
          assert.deepEqual(
            record[side] && Object.entries(record[side]),
            entries.length === 0 ? null : entries,
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});
