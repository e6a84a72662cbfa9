import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMessage } from '../../src/debezium/parseMessage.ts';

const schema = '{"type":"struct","fields":[{"field":"payload","default":1}]}';

test('what is parsed in two parts is what JSON.parse makes of the whole', () => {
  for (const text of [
    `{"schema":${schema},"payload":{"a":1}}`,
    `{ "schema" : ${schema} , "payload" : {"a":1} }`,
    `{"schema":${schema},"payload":null}`,
    `{"schema":${schema},"payload":{"a":",\\"payload\\":"},"more":2}`,
    `{"schema":${schema},"payload":{"a":1},"schema":{"type":"other"}}`,
    `{"schema":{"default":{"x":1,"payload":2}},"payload":{"a":1}}`,
    `{"note":1,"schema":${schema},"payload":{"a":1}}`,
    `{"schema":"text","payload":{"a":1}}`,
    `{"payload":{"a":1},"schema":${schema}}`,
    '{"a":{"b":1,"payload":2}}',
  ]) {
    assert.deepEqual(parseMessage(text)?.message, JSON.parse(text), text);
    assert.deepEqual(parseMessage(text)?.message, JSON.parse(text), `again: ${text}`);
  }
});

test('a schema that stands there again gives the same object, and the payload its digits', () => {
  const text = `{"schema":${schema},"payload":{"a":9007199254740993}}`;
  const [first, second] = [parseMessage(text), parseMessage(text)];
  assert.ok(first && second);
  assert.equal(first.message['schema'], second.message['schema']);
  assert.deepEqual(first.exact(), { schema: JSON.parse(schema), payload: { a: '9007199254740993' } });
});

test('what is no JSON object is undefined', () => {
  for (const text of ['', '[]', '{"schema":{},"payload":', `{"schema":${schema},"payload":{}`, 'null'])
    assert.equal(parseMessage(text), undefined, text);
});
