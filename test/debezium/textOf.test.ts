import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultDebeziumOptions } from '../../src/debezium/debeziumOptions.ts';
import { decimalOfBytes, decimalOfNumber } from '../../src/debezium/decimalText.ts';
import { debeziumChange, plainMessage, schemaMessage } from '../support/debeziumMessage.ts';

/** Type at the source as the connector propagates it. */
const from = (type: string, scale?: number, length?: number) => ({
  parameters: {
    '__debezium.source.column.type': type,
    ...(length !== undefined && { '__debezium.source.column.length': String(length) }),
    ...(scale !== undefined && { '__debezium.source.column.scale': String(scale) }),
  },
});
const decimal = (scale: number, precision?: number) => ({
  type: 'bytes',
  name: 'org.apache.kafka.connect.data.Decimal',
  parameters: {
    scale: String(scale),
    ...(precision !== undefined && { 'connect.decimal.precision': String(precision) }),
  },
});
const named = (type: string, name: string) => ({ type, name });

type Case = readonly [schema: Readonly<Record<string, unknown>>, json: string, type: string, text: string];

/** What is sent, and the type and text that SQL Server has for it. */
const cases: readonly Case[] = [
  // Numbers
  [{ type: 'boolean' }, 'true', 'bit', '1'],
  [{ type: 'boolean' }, 'false', 'bit', '0'],
  [{ type: 'int16' }, '255', 'smallint', '255'],
  [{ type: 'int32' }, '-2147483648', 'int', '-2147483648'],
  [{ type: 'int64' }, '9007199254740993', 'bigint', '9007199254740993'],
  [{ type: 'int64' }, '-9223372036854775808', 'bigint', '-9223372036854775808'],
  [{ type: 'int32', ...from('INT IDENTITY') }, '7', 'int', '7'],
  [{ type: 'float32' }, '0.1', 'real', '0.1'],
  [{ type: 'float64' }, '1.7976931348623157E308', 'float', '1.7976931348623157E308'],
  // decimal.handling.mode
  [decimal(2, 18), '"MDk="', 'decimal(18,2)', '123.45'],
  [decimal(2, 18), '"z8c="', 'decimal(18,2)', '-123.45'],
  [decimal(4), '"AA=="', 'decimal(38,4)', '0.0000'],
  [decimal(0, 3), '"AIA="', 'decimal(3,0)', '128'],
  [decimal(4, 19), '"f/////////8="', 'decimal(19,4)', '922337203685477.5807'],
  [
    { ...decimal(4, 19), ...{ parameters: { scale: '4', ...from('MONEY').parameters } } },
    '"gAAAAAAAAAA="',
    'money',
    '-922337203685477.5808',
  ],
  [{ type: 'string', ...from('DECIMAL', 2, 18) }, '"123.45"', 'decimal(18,2)', '123.45'],
  [{ type: 'double', ...from('NUMERIC() IDENTITY', 2, 18) }, '1.5', 'numeric(18,2)', '1.50'],
  [{ type: 'double', ...from('DECIMAL', 2, 18) }, '1.0E10', 'decimal(18,2)', '10000000000.00'],
  [{ type: 'double', ...from('DECIMAL', 10, 38) }, '-1.5E-7', 'decimal(38,10)', '-0.0000001500'],
  [{ type: 'double', ...from('SMALLMONEY') }, '7', 'smallmoney', '7.0000'],
  [{ type: 'double' }, '1.50', 'float', '1.50'],
  // binary.handling.mode
  [{ type: 'bytes' }, '"3q2+7w=="', 'varbinary', '0xDEADBEEF'],
  [{ type: 'bytes', ...from('ROWVERSION') }, '"AAAAAAAAB9E="', 'rowversion', '0x00000000000007D1'],
  [{ type: 'bytes' }, '""', 'varbinary', '0x'],
  // time.precision.mode adaptive
  [named('int32', 'io.debezium.time.Date'), '20672', 'date', '2026-08-07'],
  [named('int32', 'io.debezium.time.Date'), '-719162', 'date', '0001-01-01'],
  [named('int32', 'io.debezium.time.Date'), '2932896', 'date', '9999-12-31'],
  [named('int32', 'io.debezium.time.Time'), '59100883', 'time(3)', '16:25:00.883'],
  [named('int64', 'io.debezium.time.MicroTime'), '59100883333', 'time(6)', '16:25:00.883333'],
  [named('int64', 'io.debezium.time.NanoTime'), '59100883333300', 'time(7)', '16:25:00.8833333'],
  [
    { ...named('int64', 'io.debezium.time.MicroTime'), ...from('TIME', 4) },
    '59100883300',
    'time(4)',
    '16:25:00.8833',
  ],
  [named('int64', 'io.debezium.time.Timestamp'), '1786119900883', 'datetime2(3)', '2026-08-07 16:25:00.883'],
  [named('int64', 'io.debezium.time.Timestamp'), '-1', 'datetime2(3)', '1969-12-31 23:59:59.999'],
  [
    { ...named('int64', 'io.debezium.time.Timestamp'), ...from('DATETIME', 3, 23) },
    '1786119900000',
    'datetime',
    '2026-08-07 16:25:00.000',
  ],
  [
    { ...named('int64', 'io.debezium.time.Timestamp'), ...from('SMALLDATETIME', 0, 16) },
    '1786119900000',
    'smalldatetime',
    '2026-08-07 16:25:00',
  ],
  [
    { ...named('int64', 'io.debezium.time.Timestamp'), ...from('DATETIME2', 0, 19) },
    '1786119900000',
    'datetime2(0)',
    '2026-08-07 16:25:00',
  ],
  [
    named('int64', 'io.debezium.time.MicroTimestamp'),
    '1786119900883333',
    'datetime2(6)',
    '2026-08-07 16:25:00.883333',
  ],
  [
    named('int64', 'io.debezium.time.NanoTimestamp'),
    '1786119900883333300',
    'datetime2(7)',
    '2026-08-07 16:25:00.8833333',
  ],
  [
    named('string', 'io.debezium.time.ZonedTimestamp'),
    '"2026-08-07T16:25:00.88+02:00"',
    'datetimeoffset(7)',
    '2026-08-07 16:25:00.8800000 +02:00',
  ],
  [
    named('string', 'io.debezium.time.ZonedTimestamp'),
    '"2026-08-07T16:25:00Z"',
    'datetimeoffset(7)',
    '2026-08-07 16:25:00.0000000 +00:00',
  ],
  [
    { ...named('string', 'io.debezium.time.ZonedTimestamp'), ...from('DATETIMEOFFSET', 0) },
    '"2026-08-07T16:25:00-07:00"',
    'datetimeoffset(0)',
    '2026-08-07 16:25:00 -07:00',
  ],
  // connect
  [named('int32', 'org.apache.kafka.connect.data.Date'), '0', 'date', '1970-01-01'],
  [named('int32', 'org.apache.kafka.connect.data.Time'), '0', 'time(3)', '00:00:00.000'],
  [
    named('int64', 'org.apache.kafka.connect.data.Timestamp'),
    '1786119900883',
    'datetime2(3)',
    '2026-08-07 16:25:00.883',
  ],
  [
    { ...named('int64', 'org.apache.kafka.connect.data.Timestamp'), ...from('DATETIME2', 7) },
    '1786119900883',
    'datetime2(7)',
    '2026-08-07 16:25:00.883',
  ],
  // isostring
  [named('string', 'io.debezium.time.IsoDate'), '"2026-08-07Z"', 'date', '2026-08-07'],
  [named('string', 'io.debezium.time.IsoTime'), '"16:25Z"', 'time(7)', '16:25:00.0000000'],
  [
    { ...named('string', 'io.debezium.time.IsoTime'), ...from('TIME', 3) },
    '"16:25:00.88Z"',
    'time(3)',
    '16:25:00.880',
  ],
  [
    named('string', 'io.debezium.time.IsoTimestamp'),
    '"2026-08-07T16:25:00.8833333Z"',
    'datetime2(7)',
    '2026-08-07 16:25:00.8833333',
  ],
  [
    { ...named('string', 'io.debezium.time.IsoTimestamp'), ...from('SMALLDATETIME') },
    '"2026-08-07T16:25:00Z"',
    'smalldatetime',
    '2026-08-07 16:25:00',
  ],
  // Text
  [{ type: 'string' }, '"  Zürich\\u0000 "', 'nvarchar', '  Zürich\u0000 '],
  [
    { type: 'string', ...from('UNIQUEIDENTIFIER') },
    '"0E984725-C51C-4BF4-9960-E1C80E27ABA0"',
    'uniqueidentifier',
    '0E984725-C51C-4BF4-9960-E1C80E27ABA0',
  ],
  [named('string', 'io.debezium.data.Xml'), '"<a/>"', 'xml', '<a/>'],
  // Not a value of the type: kept as it is.
  [named('int32', 'io.debezium.time.Date'), '"soon"', 'date', 'soon'],
  [named('int32', 'io.debezium.time.Date'), '99999999', 'date', '99999999'],
  [named('int64', 'io.debezium.time.NanoTime'), '86400000000000', 'time(7)', '86400000000000'],
  [decimal(2, 18), '"?"', 'decimal(18,2)', '?'],
  [{ type: 'bytes' }, '"not base64!"', 'varbinary', 'not base64!'],
  [{ type: 'struct' }, '{"wkb":"AA==","srid":4326}', '', '{"wkb":"AA==","srid":4326}'],
];

for (const [schema, json, type, text] of cases) {
  test(`${JSON.stringify(schema)} ${json} is ${type} ${text}`, () => {
    const { columns, current } = debeziumChange(schemaMessage([['c', schema, json]]));
    assert.deepEqual(columns, [{ name: 'c', type }]);
    assert.deepEqual(current, { c: text });
  });
}

test('the text modes of binary columns need the option, and a type that says it is binary', () => {
  const body = (type: string, json: string) =>
    schemaMessage([['c', { type: 'string', ...from(type) }, json]]);
  for (const [binary, json] of [
    ['base64', '"3q2+7w=="'],
    ['base64-url-safe', '"3q2-7w=="'],
    ['hex', '"deadbeef"'],
  ] as const) {
    assert.deepEqual(debeziumChange(body('VARBINARY', json), { ...defaultDebeziumOptions, binary }).current, {
      c: '0xDEADBEEF',
    });
    assert.deepEqual(debeziumChange(body('VARBINARY', json)).current, { c: JSON.parse(json) });
    assert.deepEqual(debeziumChange(body('VARCHAR', json), { ...defaultDebeziumOptions, binary }).current, {
      c: JSON.parse(json),
    });
  }
});

test('without a schema every digit is kept, and nothing is taken for more than it says', () => {
  const { columns, current } = debeziumChange(
    plainMessage([
      ['large', {}, '9223372036854775807'],
      ['exact', {}, '1.10'],
      ['small', {}, '1E-7'],
      ['bit', {}, 'true'],
      ['text', {}, '"1.10"'],
      ['none', {}, 'null'],
    ]),
  );
  assert.deepEqual(current, {
    large: '9223372036854775807',
    exact: '1.10',
    small: '1E-7',
    bit: '1',
    text: '1.10',
    none: null,
  });
  assert.deepEqual(
    columns.map(({ type }) => type),
    ['', '', '', 'bit', '', ''],
  );
});

test('without a schema a number is the text it was written as, even one that a double holds', () => {
  assert.deepEqual(debeziumChange(plainMessage([['c', {}, '1.0']])).current, { c: '1.0' });
});

test('NULL is null, and a value that Debezium does not know is a column that was not sent', () => {
  const { current } = debeziumChange(
    schemaMessage([
      ['a', { type: 'string' }, 'null'],
      ['b', { type: 'string' }, '"__debezium_unavailable_value"'],
      [
        'c',
        { type: 'bytes' },
        JSON.stringify(Buffer.from('__debezium_unavailable_value').toString('base64')),
      ],
      ['d', { type: 'string' }, '""'],
    ]),
  );
  assert.deepEqual(current, { a: null, d: '' });
});

// A connector with another placeholder had it stored as the value of the column.
test('a value that Debezium does not know stands as the connector was told, and as it does by default', () => {
  const written = (bytes: Buffer) => [
    bytes.toString('utf8'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
  const read = (values: readonly string[], unavailableValue: string) => {
    const fields = values.map((value, n) => [`c${n}`, { type: 'string' }, JSON.stringify(value)] as const);
    return debeziumChange(schemaMessage([...fields, ['kept', { type: 'string' }, '"x"']]), {
      ...defaultDebeziumOptions,
      unavailableValue,
    }).current;
  };
  const text = '?unbekannt ü?';
  const values = [...written(Buffer.from(text)), defaultDebeziumOptions.unavailableValue];
  assert.deepEqual(read(values, text), { kept: 'x' });
  assert.deepEqual(Object.keys(read([text], defaultDebeziumOptions.unavailableValue) ?? {}), ['c0', 'kept']);
  assert.deepEqual(read(written(Buffer.from('3f756e3f', 'hex')), 'hex:3F756e3f'), { kept: 'x' });
  assert.deepEqual(Object.keys(read(['hex:?'], 'hex:3f') ?? {}), ['c0', 'kept']);
});

test('a column has its name at the source where the schema tells it, and any name', () => {
  const parameters = { '__debezium.source.column.name': 'größe / 大きさ' };
  const { columns, current } = debeziumChange(
    schemaMessage([
      ['gr__e____', { type: 'string', parameters }, '"x"'],
      ['__proto__', { type: 'string' }, '"y"'],
    ]),
  );
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['größe / 大きさ', '__proto__'],
  );
  assert.deepEqual(Object.entries(current ?? {}), [
    ['größe / 大きさ', 'x'],
    ['__proto__', 'y'],
  ]);
});

test('messages that describe a table alike share one list of columns', () => {
  const body = schemaMessage([['c', { type: 'int32' }, '1']]);
  assert.equal(debeziumChange(body).columns, debeziumChange(body).columns);
});

test('decimals keep every digit, whatever their size and sign', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n),
      fc.integer({ min: 0, max: 38 }),
      (unscaled, scale) => {
        const hex = BigInt.asUintN(136, unscaled).toString(16).padStart(34, '0');
        const text = decimalOfBytes(scale)(Buffer.from(hex, 'hex').toString('base64'));
        assert.ok(text !== undefined);
        assert.equal(BigInt(text.replace('.', '')), unscaled);
        assert.equal(text.split('.')[1]?.length ?? 0, scale);
        assert.equal(decimalOfNumber(scale)(text), text);
      },
    ),
  );
});

test('no number of digits that a schema tells fails a batch: padding to a thousand million digits did', () => {
  const silly = '1000000000';
  const tooMany = { ...decimal(0), parameters: { scale: silly } };
  const fields: readonly [Readonly<Record<string, unknown>>, string, string][] = [
    [tooMany, '"AQ=="', 'AQ=='],
    [{ ...tooMany, parameters: { scale: '-2' } }, '"AQ=="', 'AQ=='],
    [{ type: 'string', ...from('decimal', Number(silly)) }, '"1.5"', '1.5'],
    [
      { ...named('int64', 'io.debezium.time.MicroTimestamp'), ...from('datetime2', Number(silly)) },
      '-1',
      '1969-12-31 23:59:59.999999',
    ],
    [
      { ...named('string', 'io.debezium.time.ZonedTimestamp'), ...from('datetimeoffset', Number(silly)) },
      '"1969-12-31T23:59:59Z"',
      '1969-12-31 23:59:59.0000000 +00:00',
    ],
  ];
  for (const [schema, json, text] of fields)
    assert.equal(debeziumChange(schemaMessage([['c', schema, json]])).current?.['c'], text);
});
