import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Cut, parseJsonPrefix } from '../../src/ces/jsonPrefix.ts';

/** JSON values with numbers as text, as the parser gives them. */
const json = fc.object({
  values: [fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null)],
  withNullPrototype: false,
  maxDepth: 3,
});

test('a text that is all there gives what JSON.parse gives', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      assert.deepEqual(
        parseJsonPrefix(JSON.stringify(value, null, indent)),
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test('a beginning gives what of it is there, and marks what is cut', () => {
  fc.assert(
    fc.property(json, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const found = parseJsonPrefix(text.slice(0, at % text.length));
      assert.ok(found instanceof Cut);
      assertBeginning(found, JSON.parse(text));
    }),
  );
});

function assertBeginning(found: unknown, whole: unknown): void {
  if (!(found instanceof Cut)) {
    assert.deepEqual(found, whole);
  } else if (typeof found.there === 'string') {
    assert.ok(typeof whole === 'string' && whole.startsWith(found.there));
  } else if (typeof found.there !== 'object' || found.there === null) {
    assert.equal(found.there, undefined);
  } else {
    const entries = Object.entries(found.there);
    for (const [index, [name, value]] of entries.entries()) {
      if (index < entries.length - 1) assert.ok(!(value instanceof Cut), 'only the last is cut');
      // After an opening bracket it is open whether anything comes.
      if (value instanceof Cut && value.there === undefined) continue;
      assert.ok(typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name));
      assertBeginning(value, Reflect.get(whole, name));
    }
  }
}

test('numbers keep their digits, and one that may go on says nothing', () => {
  assert.deepEqual(parseJsonPrefix('[12345678901234567890, 1.50]'), ['12345678901234567890', '1.50']);
  assert.deepEqual(parseJsonPrefix('[1,2'), new Cut(['1', new Cut(undefined)]));
});

test('an escape that is cut is left out', () => {
  for (const half of ['\\', '\\u', '\\u00e']) assert.deepEqual(parseJsonPrefix(`"a${half}`), new Cut('a'));
  assert.deepEqual(parseJsonPrefix('"a\\\\'), new Cut('a\\'));
});

test('what is no JSON, or nested beyond reason, is nothing', () => {
  for (const text of ['{a', '[1 2', '{"a" 1', '[}', '{"a":1,}', 'x ', '"\n"', '['.repeat(100)])
    assert.equal(parseJsonPrefix(text), undefined, text.slice(0, 20));
});
