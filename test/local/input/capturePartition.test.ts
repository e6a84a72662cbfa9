import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturePartition } from '../../../local/input/capturePartition.ts';

test('takes the partition from the folders Capture makes', () => {
  assert.equal(capturePartition('/data/contoso/changes/0/2026/08/07/16/25/00.avro'), '0');
  assert.equal(capturePartition('contoso/changes/31/2026/08/07/16/25/00.avro'), '31');
  assert.equal(capturePartition('/data/changes/1999/2026_08_07_16_25_00.avro'), '1999');
  assert.equal(capturePartition('/data/changes/7/2026-08-07-16-25-00.avro'), '7');
  assert.equal(capturePartition('3/2026/08/07/16/25/00'), '3');
});

test('says "0" where the path does not tell', () => {
  assert.equal(capturePartition('/data/capture.avro'), '0');
  assert.equal(capturePartition('/data/changes/2026/08/07/16/25/00.avro'), '0');
  assert.equal(capturePartition('/data/5/capture.avro'), '0');
  assert.equal(capturePartition('/data/5/2026/08-07-16/25/00.avro'), '0');
});
