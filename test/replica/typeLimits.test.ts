import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { converterFor, convertValue } from '../../src/replica/convertValue.ts';
import type { JsonValue } from '../../src/replica/jsonValue.ts';
import { parseSqlType } from '../../src/replica/sqlType.ts';

const converted = (sent: string | null, declared: string) =>
  convertValue(sent, converterFor(parseSqlType(declared)));

/** For every type that CES sends: the texts of its limits and of its odd values, and the JSON of each. */
const limits: Readonly<Record<string, readonly (readonly [sent: string, value: JsonValue])[]>> = {
  bit: [
    ['0', false],
    ['1', true],
  ],
  tinyint: [
    ['0', 0],
    ['255', 255],
  ],
  smallint: [
    ['-32768', -32_768],
    ['32767', 32_767],
  ],
  int: [
    ['-2147483648', -2_147_483_648],
    ['0', 0],
    ['2147483647', 2_147_483_647],
  ],
  bigint: [
    ['-9223372036854775808', '-9223372036854775808'],
    ['0', '0'],
    ['9223372036854775807', '9223372036854775807'],
  ],
  'decimal(1,0)': [
    ['-9', -9],
    ['0', 0],
  ],
  'decimal(1,1)': [
    ['0.9', 0.9],
    ['-.9', -0.9],
    ['.0', 0],
  ],
  'decimal(15,0)': [
    ['999999999999999', 999_999_999_999_999],
    ['-999999999999999', -999_999_999_999_999],
  ],
  'numeric(15,15)': [
    ['0.000000000000001', 1e-15],
    ['-0.999999999999999', -0.999999999999999],
    ['0.000000000000000', 0],
  ],
  'decimal(15,7)': [['12345678.1234567', 12_345_678.1234567]],
  'decimal(16,0)': [
    ['9999999999999999', '9999999999999999'],
    ['1', '1'],
  ],
  'numeric(16,16)': [['0.0000000000000001', '0.0000000000000001']],
  'decimal(38,0)': [
    ['99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['-99999999999999999999999999999999999999', '-99999999999999999999999999999999999999'],
  ],
  'decimal(38,38)': [
    ['0.00000000000000000000000000000000000001', '0.00000000000000000000000000000000000001'],
    ['-0.99999999999999999999999999999999999999', '-0.99999999999999999999999999999999999999'],
    ['0.00000000000000000000000000000000000000', '0.00000000000000000000000000000000000000'],
  ],
  smallmoney: [
    ['-214748.3648', -214_748.3648],
    ['214748.3647', 214_748.3647],
    ['0.0000', 0],
    ['0.0001', 0.0001],
  ],
  money: [
    ['-922337203685477.5808', '-922337203685477.5808'],
    ['922337203685477.5807', '922337203685477.5807'],
    ['0.0000', '0.0000'],
  ],
  real: [
    ['-3.40E+38', -3.4e38],
    ['3.4028235e+038', 3.4028235e38],
    ['1.18E-38', 1.18e-38],
    ['0', 0],
    ['0.0000000e+000', 0],
  ],
  float: [
    ['1.7976931348623157e+308', Number.MAX_VALUE],
    ['-1.7976931348623157E+308', -Number.MAX_VALUE],
    ['2.2250738585072014e-308', 2.2250738585072014e-308],
    ['5e-324', Number.MIN_VALUE],
    ['0.1', 0.1],
    ['1e+015', 1e15],
    ['-0.00000000000000001', -1e-17],
  ],
  date: [
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['2024-02-29', '2024-02-29'],
  ],
  datetime: [
    ['1753-01-01 00:00:00.000', '1753-01-01T00:00:00.000'],
    ['9999-12-31 23:59:59.997', '9999-12-31T23:59:59.997'],
  ],
  smalldatetime: [
    ['1900-01-01 00:00:00', '1900-01-01T00:00:00'],
    ['2079-06-06 23:59:00', '2079-06-06T23:59:00'],
  ],
  'char(4)': [
    ['    ', '    '],
    ['ab  ', 'ab  '],
  ],
  'nchar(2)': [
    ['  ', '  '],
    ['漢 ', '漢 '],
    ['\ud83d\ude00', '\ud83d\ude00'],
    ['\ude00\ud83d', '\ude00\ud83d'],
  ],
  'varchar(50)': [
    ['', ''],
    [' ', ' '],
    ['NULL', 'NULL'],
    ['ÿ', 'ÿ'],
  ],
  'varchar(max)': [['', '']],
  'nvarchar(50)': [
    ['', ''],
    ['null', 'null'],
    ['\0\u0001\u2028\ufeff', '\0\u0001\u2028\ufeff'],
  ],
  'nvarchar(max)': [['{"a":1}', '{"a":1}']],
  uniqueidentifier: [
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
  ],
  'binary(2)': [['0x0000', '0x0000']],
  'varbinary(8)': [
    ['', ''],
    ['0x', '0x'],
  ],
  'varbinary(max)': [['0xFF', '0xFF']],
};

for (const [type, cases] of Object.entries(limits)) {
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
