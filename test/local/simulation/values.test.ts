import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as numbers from '../../../local/simulation/numberTypes.ts';
import { Random } from '../../../local/simulation/random.ts';
import type { SqlType } from '../../../local/simulation/sqlValue.ts';
import * as texts from '../../../local/simulation/textTypes.ts';
import * as times from '../../../local/simulation/timeTypes.ts';
import { expectedValue } from './replay.ts';

/** Types, and the form of every text CES sends for them. */
const types: readonly (readonly [type: SqlType, form: RegExp])[] = [
  [numbers.bit, /^[01]$/],
  [numbers.tinyint, /^\d{1,3}$/],
  [numbers.smallint, /^-?\d{1,5}$/],
  [numbers.int, /^-?\d{1,10}$/],
  [numbers.intKey, /^-?\d{1,10}$/],
  [numbers.bigint, /^-?\d{1,19}$/],
  [numbers.decimal(9, 4), /^-?\d{1,5}\.\d{4}$/],
  [numbers.decimal(15, 0, 'numeric'), /^-?\d{1,15}$/],
  [numbers.decimal(16, 16), /^-?0\.\d{16}$/],
  [numbers.decimal(38, 38), /^-?0\.\d{38}$/],
  [numbers.decimal(15, 15, 'numeric'), /^-?0\.\d{15}$/],
  [numbers.smallmoney, /^-?\d{1,5}\.\d{4}$/],
  [numbers.money, /^-?\d{1,15}\.\d{4}$/],
  [numbers.real, /^-?\d+(\.\d+)?(e[+-]\d+)?$/],
  [numbers.float, /^-?\d+(\.\d+)?(e[+-]\d+)?$/],
  [times.date, /^\d{4}-\d\d-\d\d$/],
  [times.time(7), /^\d\d:\d\d:\d\d\.\d{7}$/],
  [times.datetime, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/],
  [times.smalldatetime, /^\d{4}-\d\d-\d\d \d\d:\d\d:00$/],
  [times.datetime2(0), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  [times.datetime2(7), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{7}$/],
  [times.time(0), /^\d\d:\d\d:\d\d$/],
  [times.datetimeoffset(0), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/],
  [times.datetimeoffset(7), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{7} [+-]\d\d:\d\d$/],
  [texts.uniqueidentifier, /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/],
  [texts.varbinary(16), /^0x([0-9A-F]{2}){0,16}$/],
  [texts.varbinary('max'), /^0x([0-9A-F]{2}){0,40}$/],
  [texts.binary(4), /^0x[0-9A-F]{8}$/],
  [texts.unknownType, /^.{0,19}$/],
  [texts.char(10), /^.{10}$/s],
  [texts.nchar(5), /^.{5}$/s],
  [texts.varchar('max'), /^[\0-\xff]{0,100}$/],
  [texts.varchar(50), /^[\0-\xff]{0,50}$/],
  [texts.nvarchar(50), /^.{0,50}$/s],
  [texts.nvarcharKey(60), /^.{0,60}$/s],
  [texts.nvarcharMax(500), /^.{0,2100}$/s],
];

for (const [type, form] of types) {
  test(`${type.name} is sent in its form and expected by the rule of its type`, () => {
    const random = new Random(11, type.name);
    for (let draw = 0; draw < 500; draw += 1) {
      const { text, json } = type.generate(random);
      assert.match(text ?? 'NULL', form);
      assert.ok(text?.isWellFormed());
      assert.deepEqual(json, expectedValue(type.name, text));
      assert.ok(!Object.is(json, -0) && !Number.isNaN(json));
    }
  });
}

test('no text can be taken for UTF-8 bytes written one character each', () => {
  const random = new Random(12, 'latin-1');
  for (const type of [
    texts.nvarchar(200),
    texts.varchar(200),
    texts.nvarcharKey(60),
    texts.nvarcharMax(300),
  ]) {
    for (let draw = 0; draw < 500; draw += 1) {
      assert.doesNotMatch(type.generate(random).text ?? '', /[\u0080-\u00bf]/);
    }
  }
});
