import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SqlValue } from '../../src/model/change.ts';
import { type Converted, convertValue as convert, converterFor } from '../../src/replica/convertValue.ts';
import type { JsonValue } from '../../src/replica/jsonValue.ts';
import { parseSqlType } from '../../src/replica/sqlType.ts';

const convertValue = (sent: SqlValue, declared: string | undefined): Converted =>
  convert(sent, converterFor(parseSqlType(declared ?? '')));

type Case = readonly [type: string, sent: string, value: JsonValue];

/** By kind of type: the text sent and the JSON value it becomes. */
const converted: Readonly<Record<string, readonly Case[]>> = {
  'whole numbers': [
    ['tinyint', '0', 0],
    ['tinyint', '255', 255],
    ['smallint', '-32768', -32768],
    ['smallint', '32767', 32767],
    ['int', '-2147483648', -2147483648],
    ['int', '2147483647', 2147483647],
    ['INT', '8', 8],
    ['int', '+8', 8],
  ],
  'whole numbers that a double does not hold': [
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['bigint', '1', '1'],
    ['bigint', '9007199254740993', '9007199254740993'],
  ],
  'decimals of up to 15 digits': [
    ['decimal(15,2)', '9999999999999.99', 9999999999999.99],
    ['decimal(15,15)', '0.123456789012345', 0.123456789012345],
    ['decimal(15,15)', '-.123456789012345', -0.123456789012345],
    ['decimal(15,0)', '999999999999999', 999999999999999],
    ['decimal(9)', '123456789', 123456789],
    ['numeric(10,2)', '10.50', 10.5],
    ['numeric(1)', '0', 0],
  ],
  'decimals above 15 digits keep their scale': [
    ['decimal(16,2)', '10.50', '10.50'],
    ['decimal(18,2)', '0.00', '0.00'],
    ['numeric(38,10)', '1234567890123456789012345678.0123456789', '1234567890123456789012345678.0123456789'],
    ['numeric(38,0)', '-99999999999999999999999999999999999999', '-99999999999999999999999999999999999999'],
    ['decimal(38,38)', '.00000000000000000000000000000000000001', '.00000000000000000000000000000000000001'],
  ],
  'decimals without a precision have 18 digits': [
    ['decimal', '10.5', '10.5'],
    ['numeric', '7', '7'],
  ],
  money: [
    ['money', '922337203685477.5807', '922337203685477.5807'],
    ['money', '-922337203685477.5808', '-922337203685477.5808'],
    ['smallmoney', '-214748.3648', -214748.3648],
    ['smallmoney', '214748.3647', 214748.3647],
    ['smallmoney', '10.5000', 10.5],
  ],
  'approximate numbers': [
    ['float', '1.7976931348623157e+308', 1.7976931348623157e308],
    ['float', '-2.2250738585072014E-308', -2.2250738585072014e-308],
    ['float', '5e-324', 5e-324],
    ['float(53)', '0.1', 0.1],
    ['float', '1.', 1],
    ['float', '.5', 0.5],
    ['real', '3.4028235E+38', 3.4028235e38],
    ['real', '1e0', 1],
    ['float', '0.0000000000000000e+000', 0],
  ],
  bit: [
    ['bit', '1', true],
    ['bit', '0', false],
    ['bit', 'true', true],
    ['bit', 'False', false],
  ],
  dates: [
    ['date', '0001-01-01', '0001-01-01'],
    ['date', '9999-12-31', '9999-12-31'],
    ['date', '2024-02-29', '2024-02-29'],
  ],
  times: [
    ['time(0)', '23:59:59', '23:59:59'],
    ['time(3)', '00:00:00.000', '00:00:00.000'],
    ['time(7)', '23:59:59.9999999', '23:59:59.9999999'],
    ['time', '12:00:00.1000000', '12:00:00.1000000'],
  ],
  'dates with times have no zone': [
    ['datetime', '1753-01-01 00:00:00.003', '1753-01-01T00:00:00.003'],
    ['datetime', '9999-12-31 23:59:59.997', '9999-12-31T23:59:59.997'],
    ['datetime', '2025-03-14T16:45:01', '2025-03-14T16:45:01'],
    ['smalldatetime', '2079-06-06 23:59:00', '2079-06-06T23:59:00'],
    ['smalldatetime', '2079-06-06 23:59', '2079-06-06T23:59'],
    ['datetime2(7)', '0001-01-01 00:00:00.0000000', '0001-01-01T00:00:00.0000000'],
    ['datetime2(7)', '9999-12-31 23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
    ['datetime2', '2026-08-07 16:25:00.8833333', '2026-08-07T16:25:00.8833333'],
    ['datetime2(0)', '2025-03-30 02:30:00', '2025-03-30T02:30:00'],
  ],
  'dates with an offset keep it': [
    ['datetimeoffset(7)', '2025-03-14 16:45:01.1234567 +02:00', '2025-03-14T16:45:01.1234567+02:00'],
    ['datetimeoffset(7)', '0001-01-01 00:00:00.0000000 +14:00', '0001-01-01T00:00:00.0000000+14:00'],
    ['datetimeoffset', '9999-12-31 23:59:59.9999999 -14:00', '9999-12-31T23:59:59.9999999-14:00'],
    ['datetimeoffset(0)', '2025-03-14T16:45:01-00:00', '2025-03-14T16:45:01-00:00'],
    ['datetimeoffset(0)', '2025-03-14T16:45:01Z', '2025-03-14T16:45:01Z'],
    ['datetimeoffset(3)', '2025-03-14 16:45:01.120 +05:45', '2025-03-14T16:45:01.120+05:45'],
  ],
  'text as sent': [
    ['char(5)', 'a    ', 'a    '],
    ['varchar(max)', '', ''],
    ['nvarchar(50)', 'NULL', 'NULL'],
    ['nchar(2)', '😀', '😀'],
    ['nvarchar(9)', '\u0000\ud800', '\u0000\ud800'],
    ['uniqueidentifier', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
    ['binary(2)', '0x00FF', '0x00FF'],
    ['varbinary(max)', 'AP8=', 'AP8='],
    ['xml', '<a/>', '<a/>'],
    ['hierarchyid', '/1/', '/1/'],
    ['[dbo].[MyType]', '1', '1'],
    ['constructor', '1', '1'],
    ['', '1', '1'],
  ],
};

for (const [name, cases] of Object.entries(converted)) {
  describe(name, () => {
    for (const [type, sent, value] of cases) {
      test(`${type} ${JSON.stringify(sent)}`, () => {
        assert.deepEqual(convertValue(sent, type), { value, parsed: true });
      });
    }
  });
}

describe('text that is not of its type is kept as text, and says so', () => {
  const unparsable: readonly (readonly [type: string, ...texts: string[]])[] = [
    ['int', '', ' 8', '8 ', '8.0', '1e3', '0x10', 'NULL', '-', '12345678901', '8\n', '８', '-0', '1_000'],
    ['bigint', '', '1e3', 'NaN', '1,000', '--1', '1.2.3', '.'],
    ['decimal(9,2)', '', '1,5', '$1', '.', '1..2', 'Infinity'],
    ['decimal(38,2)', '1e5', '', ' 1', '.'],
    ['money', '$1.00', '1,000.00'],
    ['float', 'NaN', 'Infinity', '-INF', '1e', '1e400', '-1e400', '-0', '-0.0', '1.5e1.5'],
    ['bit', '', '2', 'yes', '01'],
    ['date', '', '2025-1-1', '14/03/2025', '2025-03-14 00:00:00', '-0001-01-01', '10000-01-01'],
    ['time', '25', '1:00:00', '10:00:00.12345678', '10:00:00.', '10:00:00Z'],
    ['datetime2(7)', '2025-03-14', '2025-03-14 16:45:01.12345678', '2025-03-14 16:45:01Z', 'Mar 14 2025'],
    ['datetimeoffset(7)', '2025-03-14 16:45:01', '2025-03-14 16:45:01 +2:00', '2025-03-14 16:45:01 Europe'],
  ];
  for (const [type, ...texts] of unparsable) {
    test(type, () => {
      for (const text of texts)
        assert.deepEqual(convertValue(text, type), { value: text, parsed: false }, text);
    });
  }
});

test('NULL of every type is null', () => {
  const types = Object.values(converted).flatMap((cases) => cases.map(([type]) => type));
  for (const type of [...types, undefined])
    assert.deepEqual(convertValue(null, type), { value: null, parsed: true });
});

test('a column that the message does not declare is text', () => {
  assert.deepEqual(convertValue('105', undefined), { value: '105', parsed: true });
});

/** A decimal as SQL Server writes it: `scale` digits after the point. */
function decimalText(digits: bigint, scale: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const point = scale === 0 ? '' : `.${text.slice(-scale)}`;
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${point}`;
}

/** The decimal that a JSON text says, as digits at the scale: by hand, without a double. */
function digitsOf(json: string, scale: number): bigint {
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(json);
  assert.ok(found, json);
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const shift = scale - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -scaled : scaled;
}

const decimalOf = fc.integer({ min: 1, max: 38 }).chain((precision) =>
  fc.record({
    precision: fc.constant(precision),
    scale: fc.integer({ min: 0, max: precision }),
    digits: fc.bigInt({ min: 1n - 10n ** BigInt(precision), max: 10n ** BigInt(precision) - 1n }),
  }),
);

test('every decimal, written as JSON and read again, has all its digits', () => {
  fc.assert(
    fc.property(decimalOf, ({ precision, scale, digits }) => {
      const sent = decimalText(digits, scale);
      const { value, parsed } = convertValue(sent, `decimal(${precision},${scale})`);
      assert.equal(parsed, true);
      assert.equal(typeof value, precision <= 15 ? 'number' : 'string');
      const stored: JsonValue = JSON.parse(JSON.stringify(value));
      assert.equal(digitsOf(typeof stored === 'string' ? stored : JSON.stringify(stored), scale), digits);
    }),
    { numRuns: 5_000 },
  );
});

test('every float, written with enough digits, is the same float again', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      for (const sent of [String(number), number.toExponential(), number.toExponential(16)]) {
        const { value } = convertValue(sent, 'float');
        // Minus zero is kept as text; `===` takes it for zero, which is what is meant here.
        assert.ok(Number(JSON.parse(JSON.stringify(value))) === number, sent);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the JSON type follows from the SQL type, not from the value', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (number) => {
      assert.equal(convertValue(String(number), 'int').value, number);
      assert.equal(convertValue(String(number), 'bigint').value, String(number));
      assert.equal(convertValue(String(number), 'decimal(19,0)').value, String(number));
    }),
  );
});

test('whatever is sent for whatever type, nothing is lost and nothing throws', () => {
  const types = Object.values(converted).flatMap((cases) => cases.map(([type]) => type));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...types), (sent, type) => {
      const { value, parsed } = convertValue(sent, type);
      if (!parsed) assert.equal(value, sent);
    }),
    { numRuns: 2_000 },
  );
});

// A pattern that tries all ways to split a run of digits takes minutes for this, and holds up its partition.
test('text that is hostile to the patterns is converted all the same', () => {
  const hostile = `${'1'.repeat(1_000_000)}x`;
  for (const type of ['int', 'bigint', 'decimal(38,0)', 'money', 'float', 'datetime2', 'date', 'bit']) {
    assert.deepEqual(convertValue(hostile, type), { value: hostile, parsed: false });
  }
});
