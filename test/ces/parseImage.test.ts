import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseImage } from '../../src/ces/parseImage.ts';
import { assertDataError } from '../support/dataErrorOf.ts';

test('an image that is not there is null, however that is written', () => {
  for (const sent of [undefined, null, '', '{}', 'null', '{ }', ' {\n} ', '{\t\r\n}', {}]) {
    assert.equal(parseImage(sent, 'here'), null, JSON.stringify(sent));
  }
});

test('values are kept as the text that was sent', () => {
  const image = { a: ' x ', b: '', c: 'NULL', d: null, e: '007', f: '\ud83d\ude00\u0000' };
  assert.deepEqual(parseImage(JSON.stringify(image), 'here'), image);
  assert.deepEqual(parseImage(image, 'here'), image);
});

test('a missing column is apart from one that is NULL', () => {
  const image = parseImage('{"a":null}', 'here');
  assert.ok(image !== null && Object.hasOwn(image, 'a') && !Object.hasOwn(image, 'b'));
});

test('JSON numbers keep their digits and booleans become bits', () => {
  assert.deepEqual(
    parseImage(
      '{"id":9223372036854775807,"price":10.50,"tiny":1e-400,"yes":true,"no":false,"n":null}',
      'here',
    ),
    { id: '9223372036854775807', price: '10.50', tiny: '1e-400', yes: '1', no: '0', n: null },
  );
});

test('columns may be called as anything', () => {
  const image = parseImage('{"__proto__":"p","constructor":"c","":"empty","toString":1}', 'here');
  assert.deepEqual(Object.entries(image ?? {}), [
    ['__proto__', 'p'],
    ['constructor', 'c'],
    ['', 'empty'],
    ['toString', '1'],
  ]);
});

test('what is no image is named', () => {
  assertDataError(() => parseImage('{"a":', 'eventrow.old'), 'invalid-json', /^eventrow\.old is not JSON/);
  assertDataError(() => parseImage('[]', 'eventrow.old'), 'wrong-type', /^eventrow\.old is an array/);
  assertDataError(() => parseImage(5, 'eventrow.old'), 'wrong-type', /^eventrow\.old is a number/);
  assertDataError(() => parseImage([], 'eventrow.old'), 'wrong-type', /^eventrow\.old is an array/);
  assertDataError(
    () => parseImage('{"a":{}}', 'eventrow.old'),
    'wrong-type',
    /^"a" in eventrow\.old is a object/,
  );
  assertDataError(
    () => parseImage({ a: ['x'] }, 'eventrow.old'),
    'wrong-type',
    /^"a" in eventrow\.old is an array/,
  );
});

test('an image nested deeper than the engine can walk is a data error', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  assertDataError(() => parseImage(deep, 'eventrow.old'), 'invalid-json', /eventrow\.old is nested too deep/);
});
