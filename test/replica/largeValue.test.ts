import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReference } from '../../src/replica/largeValue.ts';

const reference = { $blob: 'rows-1/00/t/r/v/s', bytes: 5, sha256: 'a'.repeat(64) };

test('a reference is read back in one form', () => {
  const { $blob, bytes, sha256 } = reference;
  assert.equal(JSON.stringify(readReference({ sha256, bytes, $blob })), JSON.stringify(reference));
  assert.deepEqual(readReference({ ...reference, bytes: 0 }), { ...reference, bytes: 0 });
});

test('nothing else is taken for one', () => {
  for (const other of [
    {},
    [],
    [reference],
    { ...reference, more: 1 },
    { ...reference, $blob: '' },
    { ...reference, $blob: 5 },
    { ...reference, bytes: -1 },
    { ...reference, bytes: 1.5 },
    { ...reference, bytes: '5' },
    { ...reference, sha256: 'A'.repeat(64) },
    { ...reference, sha256: 'a'.repeat(63) },
    { $blob: reference.$blob, bytes: 5 },
  ])
    assert.equal(readReference(other), undefined, JSON.stringify(other));
});
