import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isJsonObject,
  missing,
  optionalText,
  parseJsonObject,
  parseKeepingNumbers,
  requireText,
  wrongType,
} from '../src/json.ts';
import { assertDataError, dataErrorOf } from './support/dataErrorOf.ts';

test('text that is not JSON is named with its position and length', () => {
  const text = /^here is not JSON at position 7 \(8 characters\)$/;
  assertDataError(() => parseJsonObject('{"a":1}x', 'here'), 'invalid-json', text);
  assertDataError(() => parseJsonObject('', 'here'), 'invalid-json', /^here is not JSON \(0 characters\)$/);
});

test('the text of the message never gets into the error, not even where it looks like a position', () => {
  for (const text of [
    '{"a": position 4711}',
    '{"a":position 47}',
    '{"a": at position 4 (line 7 column 1)x',
  ]) {
    const { message } = dataErrorOf(() => parseJsonObject(text, 'here'));
    assert.equal(message, `here is not JSON (${text.length} characters)`);
  }
});

test('JSON that is no object is of the wrong type', () => {
  for (const [text, name] of [
    ['[]', 'an array'],
    ['null', 'null'],
    ['1', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ] as const) {
    assertDataError(
      () => parseJsonObject(text, 'here'),
      'wrong-type',
      new RegExp(`^here is ${name}, expected an object$`),
    );
  }
});

test('numbers are kept as they are written, at any depth; everything else as it is', () => {
  assert.deepEqual(
    parseKeepingNumbers('{"a":9223372036854775807,"b":[10.50,{"c":-0}],"d":"1.0","e":true,"f":null}', 'here'),
    { a: '9223372036854775807', b: ['10.50', { c: '-0' }], d: '1.0', e: true, f: null },
  );
});

test('a property called __proto__ stays an ordinary property', () => {
  const parsed = parseKeepingNumbers('{"__proto__":1.10,"constructor":2}', 'here');
  assert.deepEqual(Object.entries(parsed), [
    ['__proto__', '1.10'],
    ['constructor', '2'],
  ]);
  assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
});

test('text nested deeper than the engine can walk is a data error', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  assert.ok(isJsonObject(parseJsonObject(deep, 'here')));
  assertDataError(() => parseKeepingNumbers(deep, 'here'), 'invalid-json', /^here is nested too deep$/);
});

test('required and optional text', () => {
  const object = { text: 'x', empty: '', none: null, number: 1 };
  assert.equal(requireText(object, 'text', 'here'), 'x');
  assert.equal(requireText(object, 'empty', 'here'), '');
  assertDataError(() => requireText(object, 'absent', 'here'), 'missing-attribute', /^here has no absent$/);
  assertDataError(
    () => requireText(object, 'none', 'here'),
    'wrong-type',
    /^none in here is null, expected text$/,
  );
  assert.equal(optionalText(object, 'text', 'here'), 'x');
  assert.equal(optionalText(object, 'absent', 'here'), undefined);
  assert.equal(optionalText(object, 'none', 'here'), undefined);
  assertDataError(() => optionalText(object, 'number', 'here'), 'wrong-type', /^number in here is a number/);
});

test('only objects are objects', () => {
  assert.ok(isJsonObject({}));
  for (const other of [null, undefined, [], 'x', 1, true]) assert.ok(!isJsonObject(other));
});

test('errors are made with their code', () => {
  assert.equal(missing('here', 'x').code, 'missing-attribute');
  assert.equal(wrongType('x', [], 'text').code, 'wrong-type');
});
