import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyNames } from '../../src/replica/keyNames.ts';

const columnsOf = (...names: readonly string[]) => names.map((name) => ({ name, type: 'int' }));

test('a name of the key is that of the column, whatever its case; of two such columns the one written so', () => {
  const key = ['id', 'İsim', 'gone'];
  assert.deepEqual(keyNames({ key }, columnsOf('isim', 'ID')), ['ID', 'isim', 'gone']);
  assert.deepEqual(keyNames({ key }, columnsOf('ID', 'id', 'Id')), ['id', 'İsim', 'gone']);
  assert.equal(keyNames({ key: undefined }, columnsOf('id')), undefined);
});

// What is remembered of a list of columns is for one key.
test('the same columns can be asked for with another key', () => {
  const columns = columnsOf('ID', 'Name');
  const [one, other] = [['id'], ['name', 'id']];
  for (const [key, names] of [
    [one, ['ID']],
    [other, ['Name', 'ID']],
    [one, ['ID']],
  ] as const)
    assert.deepEqual(keyNames({ key }, columns), names);
});
