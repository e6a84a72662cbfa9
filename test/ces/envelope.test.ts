import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CES_TYPE, checkEnvelope, checkSegmentIndex } from '../../src/ces/envelope.ts';
import { assertDataError } from '../support/dataErrorOf.ts';

const LOGICAL_ID = '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:000000B1000008A80007:00000000000000000001';

test('a CES envelope passes', () => {
  const { operation, logicalId } = checkEnvelope(CES_TYPE, LOGICAL_ID, 'DEL');
  assert.equal(operation, 'DEL');
  assert.equal(logicalId.text, LOGICAL_ID);
});

test('what is wrong is quoted, cut to a hundred characters', () => {
  const long = 'y'.repeat(1000);
  const quoted = /"y{100}\.\.\."/;
  assertDataError(() => checkEnvelope(long, LOGICAL_ID, 'DEL'), 'unknown-type', quoted);
  assertDataError(() => checkEnvelope(CES_TYPE, long, 'DEL'), 'invalid-logical-id', quoted);
  assertDataError(() => checkEnvelope(CES_TYPE, LOGICAL_ID, long), 'unknown-operation', quoted);
  assertDataError(() => checkEnvelope('a"\n', LOGICAL_ID, 'DEL'), 'unknown-type', /type is "a\\"\\n"/);
});

test('the type is compared exactly', () => {
  for (const type of ['', CES_TYPE.toLowerCase(), `${CES_TYPE} `, CES_TYPE.replace('V1', 'V2')]) {
    assertDataError(() => checkEnvelope(type, LOGICAL_ID, 'INS'), 'unknown-type', /expected "com\.microsoft/);
  }
});

test('a segment index is an integer from 0 to 99999', () => {
  assert.equal(checkSegmentIndex('x', 0), 0);
  assert.equal(checkSegmentIndex('x', 99_999), 99_999);
  for (const index of [-1, 100_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assertDataError(
      () => checkSegmentIndex('x', index),
      'invalid-segment',
      /^x is .*, expected an integer from 0 to 99999$/,
    );
  }
});
