import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLogicalId } from '../../src/model/logicalId.ts';
import { MAX_EPOCH, parseVersion, type Version, versionOf } from '../../src/model/version.ts';

function version(epoch: number, lsn: bigint, sequence: bigint): Version {
  const lsnText = lsn.toString(16).padStart(20, '0');
  const id = parseLogicalId(`1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:${lsnText}:${sequence}`);
  assert.ok(id !== undefined);
  return versionOf(epoch, id.lsn, id.sequence);
}

test('a version is epoch, LSN and sequence number', () => {
  assert.equal(version(0, 0xb1000008a80007n, 1n), '0000:000000B1000008A80007:00000000000000000001');
  assert.equal(version(MAX_EPOCH, 0n, 0n), '9999:00000000000000000000:00000000000000000000');
});

test('epoch counts before LSN, and LSN before sequence number', () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: MAX_EPOCH }),
    fc.bigInt({ min: 0n, max: 2n ** 80n - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
  );
  const near = fc.tuple(fc.integer({ min: 9, max: 11 }), fc.bigInt(14n, 17n), fc.bigInt(8n, 12n));
  const any = fc.oneof(parts, near);
  fc.assert(
    fc.property(any, any, (a, b) => {
      const smaller = a[0] < b[0] || (a[0] === b[0] && (a[1] < b[1] || (a[1] === b[1] && a[2] < b[2])));
      assert.equal(version(...a) < version(...b), smaller);
    }),
  );
});

test('a version is read back, and nothing else is', () => {
  const text = version(3, 5n, 7n);
  assert.equal(parseVersion(text), text);
  for (const other of [
    undefined,
    null,
    5,
    {},
    '',
    text.toLowerCase().replace('0', 'a'),
    `${text}0`,
    `${text}\n`,
    text.slice(1),
  ]) {
    assert.equal(parseVersion(other), undefined, String(other));
  }
});
