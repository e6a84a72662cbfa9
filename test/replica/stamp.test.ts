import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeleteStamp, stampOf, versionOfStamp } from '../../src/replica/stamp.ts';
import { versionNumber } from './changeOf.ts';

test('a stamp tells its version and whether it is a delete', () => {
  for (const isDelete of [true, false]) {
    const stamp = stampOf(versionNumber(3), isDelete);
    assert.equal(versionOfStamp(stamp), versionNumber(3));
    assert.equal(isDeleteStamp(stamp), isDelete);
  }
});

test('stamps sort by version, and a delete before a write of the same version', () => {
  const sorted = [1, 2, 10, 16, 255].flatMap((n) => [
    stampOf(versionNumber(n), true),
    stampOf(versionNumber(n), false),
  ]);
  assert.deepEqual([...sorted].reverse().sort(), sorted);
});
