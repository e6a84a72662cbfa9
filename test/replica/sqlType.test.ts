import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSqlType } from '../../src/replica/sqlType.ts';

const cases: readonly (readonly [text: string, name: string, precision?: number])[] = [
  ['int', 'int'],
  ['decimal(18,2)', 'decimal', 18],
  ['decimal(9)', 'decimal', 9],
  ['DECIMAL (18, 2)', 'decimal', 18],
  ['  numeric( 38 , 10 )  ', 'numeric', 38],
  ['decimal', 'decimal'],
  ['nvarchar(max)', 'nvarchar'],
  ['NVARCHAR(MAX)', 'nvarchar'],
  ['datetime2(7)', 'datetime2', 7],
  ['float(53)', 'float', 53],
  ['double precision', 'double precision'],
  ['national char varying(10)', 'national char varying', 10],
  ['', ''],
  ['()', '()'],
  ['decimal(18,2', 'decimal(18,2'],
  ['decimal(18.2)', 'decimal(18.2)'],
  ['decimal(-1)', 'decimal(-1)'],
  ['[dbo].[MyType]', '[dbo].[mytype]'],
  ['int; drop', 'int; drop'],
  ['1int', '1int'],
];

for (const [text, name, precision] of cases) {
  test(`${JSON.stringify(text)} is ${JSON.stringify(name)} of precision ${precision}`, () => {
    assert.deepEqual(parseSqlType(text), { name, precision });
    assert.deepEqual(parseSqlType(text), { name, precision }, 'the second time, from memory');
  });
}

// A pattern that tries all ways to split a run of spaces takes hours for this, and holds up its partition.
test('text that is hostile to the pattern is read all the same', () => {
  for (const hostile of [
    `a${' '.repeat(100_000)}!`,
    `${'a '.repeat(50_000)}!`,
    `decimal(${'1'.repeat(100_000)}`,
    `decimal(1${' '.repeat(100_000)}`,
  ]) {
    assert.deepEqual(parseSqlType(hostile), { name: hostile.toLowerCase(), precision: undefined });
  }
});
