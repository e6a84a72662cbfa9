import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { repeatedProperty } from '../../src/settings/repeatedProperty.ts';

test('what stands in two objects is not repeated', () => {
  for (const json of [
    '{}',
    '[]',
    '"a"',
    '{"a":{"a":1},"b":{"a":1}}',
    '{"a":[{"a":1},{"a":2},"a","a"],"b":"a"}',
    '{"a":",\\"b\\":","b":1}',
    '{"a":"b","b":"a"}',
    '{"a":"\\\\","b":1}',
  ])
    assert.equal(repeatedProperty(json), undefined, json);
});

test('the place is told', () => {
  assert.equal(repeatedProperty('{"a":1,"a":1}'), '$.a');
  assert.equal(repeatedProperty('{ "x": {"y": [] ,"z": {}, "a": 1 , "\\u0061" : 2} }'), '$.x.a');
  assert.equal(repeatedProperty('{"x":[[{"a":{},"b":{},"a":{}}]]}'), '$.x...a');
});

test('of any value, written by JSON.stringify, none is; with a property written twice, that one is', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        fc.json({ maxDepth: 3 }).map((json) => JSON.parse(json)),
      ),
      fc.string(),
      (value, name) => {
        const json = JSON.stringify({ ...value, end: 1 });
        assert.equal(repeatedProperty(json), undefined);
        const property = JSON.stringify(name);
        const twice = `{${property}:${json},"other${name.length}":[${json}],${property}:0}`;
        assert.equal(repeatedProperty(`[${twice}]`), `$..${name}`);
      },
    ),
  );
});
