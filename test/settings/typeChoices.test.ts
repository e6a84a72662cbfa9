import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converterFor } from '../../src/replica/convertValue.ts';
import type { JsonType } from '../../src/replica/jsonValue.ts';
import { parseSqlType } from '../../src/replica/sqlType.ts';
import { typeChoices } from '../../src/settings/typeChoices.ts';

/** A text of each type that numbers and booleans can be made of, if of any. */
const samples: Readonly<Record<string, string>> = {
  bit: '1',
  tinyint: '1',
  smallint: '1',
  int: '1',
  bigint: '1',
  decimal: '1',
  numeric: '1',
  smallmoney: '1',
  money: '1',
  real: '1',
  float: '1',
  char: '1',
  varchar: '1',
  nchar: '1',
  nvarchar: '1',
  date: '2026-08-07',
  time: '16:25:00',
  datetime: '2026-08-07 16:25:00.883',
  smalldatetime: '2026-08-07 16:25:00',
  datetime2: '2026-08-07 16:25:00.8833333',
  datetimeoffset: '2026-08-07 16:25:00.8833333 +02:00',
  uniqueidentifier: '6F9619FF-8B86-D011-B42D-00C04FC964FF',
  binary: '0x01',
  varbinary: '0x',
};
const choices: readonly JsonType[] = ['number', 'text', 'boolean'];

test('what can never work is refused, and nothing else', () => {
  for (const [type, sample] of Object.entries(samples)) {
    for (const json of choices) {
      const works = converterFor(parseSqlType(type), json)(sample) !== undefined;
      assert.equal(typeChoices.safeParse({ [type]: json }).success, works, `${type} as ${json}`);
    }
  }
});

const messageOf = (choice: object) =>
  typeChoices.safeParse(choice).error?.issues.map(({ message }) => message);

test('a refusal says what is wrong', () => {
  assert.deepEqual(messageOf({ datetime2: 'boolean' }), ['no value of datetime2 is a boolean: leave it out']);
  assert.deepEqual(messageOf({ bigit: 'number' }), ['unknown type, did you mean "bigint"?']);
  assert.deepEqual(messageOf({ uniqueidentifer: 'text' }), [
    'unknown type, did you mean "uniqueidentifier"?',
  ]);
});

test('a type that may be newer than the app is taken', () => {
  for (const type of ['hierarchyid', 'int256', 'sysname', 'constructor', 'double precision'])
    assert.deepEqual(typeChoices.parse({ [type]: 'number' }), { [type]: 'number' });
});
