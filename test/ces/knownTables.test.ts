import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJsonData } from '../../src/ces/decodeJsonData.ts';
import { knownTables } from '../../src/ces/knownTables.ts';
import { dataErrorOf } from '../support/dataErrorOf.ts';

const text = fc.string({ unit: 'grapheme' });
const column = fc.record({ name: text, type: text, index: fc.nat(1000) });
const data = fc.record({
  eventsource: fc.record({
    db: text,
    schema: text,
    tbl: text,
    cols: fc.array(column, { maxLength: 4 }),
    pkkey: fc.array(fc.record({ columnname: text, value: text }), { maxLength: 3 }),
    transaction: fc.record({ commitlsn: text, sequencenumber: fc.nat() }),
  }),
  eventrow: fc.record({
    old: fc.constant('{}'),
    current: fc.dictionary(text, text).map((row) => JSON.stringify(row)),
  }),
});

test('a table that is known already is decoded to the same', () => {
  fc.assert(
    fc.property(data, (record) => {
      const written = JSON.stringify(record);
      const first = decodeJsonData(written);
      const second = decodeJsonData(written);
      const third = decodeJsonData(written);
      assert.deepEqual(second, first);
      assert.equal(third.columns, second.columns, 'the second time the columns were known');
    }),
  );
});

test('the rest of a message of a known table is checked as strictly', () => {
  const written = JSON.stringify(fc.sample(data, { numRuns: 1, seed: 7 })[0]);
  decodeJsonData(written);
  for (const broken of [`${written}x`, written.slice(0, -1), written.replace('"eventrow"', '"eventrows"')]) {
    dataErrorOf(() => decodeJsonData(broken));
  }
});

test('what looks like the end of the columns inside a name is none', () => {
  const odd = { name: '],"pkkey":[{"columnname":"a","value":"b"}]', type: 'int', index: 0 };
  const record = {
    eventsource: { db: 'd', schema: 's', tbl: 't', cols: [odd], pkkey: [{ columnname: 'k', value: '1' }] },
    eventrow: { old: '{}', current: '{}' },
  };
  for (const decoded of [decodeJsonData(JSON.stringify(record)), decodeJsonData(JSON.stringify(record))]) {
    assert.deepEqual(decoded.columns, [odd]);
    assert.deepEqual(decoded.key, [{ column: 'k', value: '1' }]);
  }
});

test('another order of the properties is read, and not taken for a description', () => {
  const source = { tbl: 't', db: 'd', schema: 's', cols: [], pkkey: [{ columnname: 'k', value: '1' }] };
  for (const value of ['1', '2']) {
    const written = JSON.stringify({
      eventrow: { old: '{}', current: `{"k":"${value}"}` },
      eventsource: source,
    });
    assert.deepEqual(decodeJsonData(written).current, { k: value });
    assert.deepEqual(decodeJsonData(written).current, { k: value });
  }
});

test('the memory of tables is bounded', () => {
  const huge = 'x'.repeat(5 * 1024 * 1024);
  knownTables.add(huge, { table: { db: '', schema: '', name: '' }, columns: [] });
  assert.equal(knownTables.get(huge), undefined);
});

test('a message that describes its table twice leaves no trace in the next one', () => {
  const source = (tbl: string): string =>
    `"eventsource":{"db":"d","schema":"s","tbl":"${tbl}","cols":[],"pkkey":[{"columnname":"k","value":"1"}]}`;
  const row = '"eventrow":{"old":"{}","current":"{}"}';
  const twice = `{${source('Items')},${source('Other')},${row}}`;
  const once = `{${source('Items')},${row}}`;
  const within = once.replace('}],', '}]},').replace('"}]}', '"}],"tbl":"Other"}');
  for (const [text, table] of [
    [twice, 'Other'],
    [once, 'Items'],
    [twice, 'Other'],
    [within, 'Other'],
    [once, 'Items'],
  ] as const) {
    assert.equal(decodeJsonData(text).table.name, table, text);
  }
});
