import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { converterFor, convertValue } from '../../src/replica/convertValue.ts';
import type { JsonValue } from '../../src/replica/jsonValue.ts';
import { parseSqlType } from '../../src/replica/sqlType.ts';
import { typeLimits } from '../support/typeLimits.ts';

const converted = (sent: string | null, declared: string) =>
  convertValue(sent, converterFor(parseSqlType(declared)));

for (const [type, cases] of Object.entries(typeLimits)) {
  test(`the limits of ${type}, and NULL`, () => {
    assert.deepEqual(converted(null, type), { value: null, parsed: true });
    for (const [sent, value] of cases) {
      const result = converted(sent, type);
      assert.deepEqual(result, { value, parsed: true }, sent);
      assert.ok(!Object.is(result.value, -0), sent);
    }
  });
}

describe('0 to 7 fraction digits are all kept', () => {
  for (const digits of [0, 1, 2, 3, 4, 5, 6, 7]) {
    for (const fraction of digits === 0 ? [''] : ['.0000000', '.9999999', '.1234567']) {
      const clock = `23:59:59${fraction.slice(0, digits === 0 ? 0 : digits + 1)}`;
      test(`${digits}: ${clock}`, () => {
        assert.deepEqual(converted(clock, `time(${digits})`), { value: clock, parsed: true });
        for (const day of ['0001-01-01', '9999-12-31']) {
          assert.deepEqual(converted(`${day} ${clock}`, `datetime2(${digits})`), {
            value: `${day}T${clock}`,
            parsed: true,
          });
          for (const offset of ['+00:00', '-00:00', '+14:00', '-14:00', '+05:45', '-03:30'])
            assert.deepEqual(converted(`${day} ${clock} ${offset}`, `datetimeoffset(${digits})`), {
              value: `${day}T${clock}${offset}`,
              parsed: true,
            });
        }
      });
    }
  }
});

// SQL Server sends none of these for an exact type; a float can be minus zero, which JSON has no number for.
test('minus zero is kept as text, whatever it is written as', () => {
  for (const sent of ['-0', '-0.0', '-.0', '-0e0', '-0.0000000000000000e+000'])
    for (const type of ['float', 'real', 'decimal(9,2)', 'smallmoney', 'int'])
      assert.deepEqual(converted(sent, type), { value: sent, parsed: false }, `${type} ${sent}`);
});

test('what is too small or too large for a double is not taken for zero or lost', () => {
  for (const sent of [
    '1e-400',
    '-1e-400',
    '0.1e-324',
    `0.${'0'.repeat(400)}1`,
    '1e309',
    `1${'0'.repeat(400)}`,
  ])
    assert.deepEqual(converted(sent, 'float'), { value: sent, parsed: false });
  assert.deepEqual(converted('0e-400', 'float'), { value: 0, parsed: true });
});

describe('a type in another spelling is the same type', () => {
  const cases: readonly (readonly [declared: string, sent: string, value: JsonValue])[] = [
    ['INT', '8', 8],
    [' Int ', '8', 8],
    ['BigInt', '8', '8'],
    ['DECIMAL (15, 2)', '1.50', 1.5],
    ['Decimal(16 ,2)', '1.50', '1.50'],
    ['numeric( 9 )', '8', 8],
    ['FLOAT(53)', '1e1', 10],
    ['float (24)', '1e1', 10],
    ['DateTime2 (7)', '2025-03-14 16:45:01', '2025-03-14T16:45:01'],
    ['DATETIMEOFFSET', '2025-03-14 16:45:01 +01:00', '2025-03-14T16:45:01+01:00'],
    ['BIT', '1', true],
    ['NVARCHAR(MAX)', '1', '1'],
  ];
  for (const [declared, sent, value] of cases)
    test(JSON.stringify(declared), () =>
      assert.deepEqual(converted(sent, declared), { value, parsed: true }),
    );
});

test('a type that is not known is text, whatever the value looks like', () => {
  for (const declared of [
    '',
    '()',
    'hierarchyid',
    'vector(3)',
    '[dbo].[Money]',
    'int;',
    'decimal(18',
    'xml',
    'json',
  ])
    for (const sent of ['', '1', '1.5', 'true', '2025-03-14 16:45:01'])
      assert.deepEqual(converted(sent, declared), { value: sent, parsed: true }, declared);
});
