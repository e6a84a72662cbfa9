import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOperation, operations } from '../../src/model/operation.ts';

test('there are three operations, in upper case', () => {
  assert.deepEqual(operations, ['INS', 'UPD', 'DEL']);
  for (const operation of operations) assert.ok(isOperation(operation));
  for (const other of ['', 'ins', 'INS ', 'MRG', 'toString', '0']) assert.ok(!isOperation(other), other);
});
