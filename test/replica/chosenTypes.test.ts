import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { converterFor, convertValue } from '../../src/replica/convertValue.ts';
import type { JsonType, JsonValue } from '../../src/replica/jsonValue.ts';
import { parseSqlType } from '../../src/replica/sqlType.ts';

const chosen = (sent: string | null, json: JsonType, declared = 'nvarchar(50)') =>
  convertValue(sent, converterFor(parseSqlType(declared), json));

/** Undefined: the text stays, and is counted. */
type Case = readonly [sent: string, value: JsonValue | undefined];

const numbers: readonly Case[] = [
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992],
  ['9007199254740993', undefined],
  ['9007199254740994', 9007199254740994],
  ['9223372036854775807', undefined],
  ['-9223372036854775808', undefined],
  ['9223372036854775000', 9223372036854775000],
  ['0.1', 0.1],
  ['0.10', 0.1],
  ['.1', 0.1],
  ['1.', 1],
  ['00712', 712],
  ['10.5000', 10.5],
  ['922337203685477.5807', undefined],
  ['92233720368.5477', 92233720368.5477],
  ['1e22', 1e22],
  ['10000000000000000000000', 1e22],
  ['1e23', 1e23],
  ['0.1000000000000000055511151231257827', undefined],
  ['0.30000000000000004', 0.30000000000000004],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['1e309', undefined],
  ['1e-400', undefined],
  ['5e-324', 5e-324],
  // Below the normal numbers a double has fewer than 15 digits.
  ['1.23456789012345e-320', undefined],
  ['0', 0],
  ['+0', 0],
  ['0.000', 0],
  ['0e5', 0],
  ['-0', undefined],
  ['-0.00', undefined],
  ['99999999999999999999999999999999999999', undefined],
  ['00000000000000000000000000000000000001', 1],
  ['', undefined],
  [' 1', undefined],
  ['1,5', undefined],
  ['0x10', undefined],
  ['Infinity', undefined],
  ['NaN', undefined],
  ['１', undefined],
];

const booleans: readonly Case[] = [
  ['1', true],
  ['0', false],
  ['true', true],
  ['FALSE', false],
  ['True', true],
  ['', undefined],
  ['2', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['01', undefined],
  ['yes', undefined],
  ['Y', undefined],
  [' 1', undefined],
];

describe('number', () => cases('number', numbers));
describe('boolean', () => cases('boolean', booleans));

function cases(json: JsonType, list: readonly Case[]): void {
  for (const [sent, value] of list) {
    test(`${JSON.stringify(sent)} ${value === undefined ? 'stays text' : `is ${value}`}`, () => {
      const wanted = value === undefined ? { value: sent, parsed: false } : { value, parsed: true };
      for (const declared of ['nvarchar(50)', 'decimal(38,10)', 'bigint', 'int'])
        assert.deepEqual(chosen(sent, json, declared), wanted, declared);
    });
  }
}

test('text is as sent, of every type', () => {
  for (const declared of ['int', 'bit', 'float', 'datetime2(7)', 'decimal(9,2)', 'money', 'datetimeoffset'])
    for (const sent of ['1', '2025-03-14 16:45:01', '', 'odd', '-0'])
      assert.deepEqual(chosen(sent, 'text', declared), { value: sent, parsed: true });
});

test('NULL is null, whatever was chosen', () => {
  for (const json of ['number', 'text', 'boolean'] as const)
    assert.deepEqual(chosen(null, json), { value: null, parsed: true });
});

/** A decimal: digits times ten to the power of the exponent, without zeros at the end. Read by hand, with BigInt. */
function decimalOf(text: string): readonly [digits: bigint, exponent: number] {
  const found = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  assert.ok(found, text);
  const [, sign, whole = '', fraction = '', power = '0'] = found;
  let digits = BigInt(`${whole}${fraction}`);
  let exponent = Number(power) - fraction.length;
  if (digits === 0n) return [0n, 0];
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1;
  }
  return [sign === '-' ? -digits : digits, exponent];
}

const decimalText = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 38n }), fc.bigInt({ min: 0n, max: 10n ** 17n })),
    zeros: fc.nat({ max: 3 }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9]{1,20}$/)),
    power: fc.oneof(
      fc.constant(''),
      fc.integer({ min: -340, max: 320 }).map((power) => `e${power}`),
    ),
  })
  .map(({ sign, whole, zeros, fraction, power }) => {
    const point = fraction === '' ? '' : `.${fraction}`;
    return `${sign}${'0'.repeat(zeros)}${whole}${point}${power}`;
  });
const doubleText = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .chain((number) => fc.constantFrom(String(number), number.toExponential(), number.toExponential(17)));

test('a chosen number is a number exactly where its JSON is the same decimal', () => {
  const counts = { number: 0, text: 0 };
  fc.assert(
    fc.property(fc.oneof(decimalText, doubleText), (sent) => {
      const { value, parsed } = chosen(sent, 'number');
      // What a reader would get if it were stored as a number.
      const json = JSON.stringify(Number(sent));
      const isZeroWithSign = /^-[0.]*(e|$)/i.test(sent);
      const same = json !== 'null' && !isZeroWithSign && sameDecimal(decimalOf(sent), decimalOf(json));
      assert.equal(parsed, same, sent);
      assert.deepEqual(value, same ? JSON.parse(json) : sent);
      counts[same ? 'number' : 'text'] += 1;
    }),
    { numRuns: 5_000 },
  );
  assert.ok(counts.number > 500 && counts.text > 500, JSON.stringify(counts));
});

function sameDecimal(a: readonly [bigint, number], b: readonly [bigint, number]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

// A pattern that tries all ways to split a run of digits takes minutes for this, and holds up its partition.
test('text that is hostile to the patterns is converted all the same', () => {
  for (const hostile of [
    `${'1'.repeat(1_000_000)}x`,
    `${'0'.repeat(1_000_000)}x`,
    `1${'0'.repeat(1_000_000)}`,
  ])
    for (const json of ['number', 'boolean'] as const)
      assert.deepEqual(chosen(hostile, json), { value: hostile, parsed: false });
  const zeros = '0'.repeat(1_000_000);
  assert.deepEqual(chosen(zeros, 'number'), { value: 0, parsed: true });
  assert.equal(chosen(`${zeros}1.${'0'.repeat(200_000)}1${zeros}`, 'number').parsed, false);
});
