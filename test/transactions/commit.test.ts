import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLsn } from '../../src/model/lsn.ts';
import { commitOf, epochOf, lsnOf, parseCommit, transactionId } from '../../src/transactions/commit.ts';

const lsn = parseLsn('0000002500000D080025');
assert.ok(lsn !== undefined);

test('a commit is named as Debezium names its transaction', () => {
  assert.equal(transactionId(commitOf(0, lsn)), '00000025:00000d08:0025');
});

test('a commit tells its parts, and is read back', () => {
  const commit = commitOf(12, lsn);
  assert.equal(commit, '0012:0000002500000D080025');
  assert.deepEqual([epochOf(commit), lsnOf(commit)], [12, lsn]);
  assert.equal(parseCommit(commit), commit);
  for (const other of ['0012:0000002500000d080025', '12:0000002500000D080025', '', null, 5])
    assert.equal(parseCommit(other), undefined);
});

test('a raised epoch comes after all LSNs of the one before', () => {
  const last = parseLsn('F'.repeat(20));
  assert.ok(last !== undefined);
  assert.ok(commitOf(0, last) < commitOf(1, lsn));
});
