import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentId } from '../../src/replica/documentId.ts';
import { LARGE_VALUE_SLICES, largeValueName, slicePrefix } from '../../src/replica/largeValueName.ts';
import { purchases, versionNumber } from './changeOf.ts';

const sha256 = 'b'.repeat(64);
/** Longest name of a blob, in characters (Blob service naming rules). */
const LONGEST_NAME = 1_024;
/** Longest name of a Cosmos DB container, and what a folder adds to it. */
const FOLDER = `${'c'.repeat(255)}-12345678`;

test('a name is readable as far as it can be', () => {
  const name = largeValueName('rows-12345678', documentId(purchases, ['105']), versionNumber(3), sha256);
  assert.match(
    name,
    /^rows-12345678\/([0-9a-f]{2})\/db1\.dbo\.Purchases\/\1[0-9a-f]{62}\/0000-[0-9A-F]{20}-[0-9]{20}\/b{64}$/,
  );
});

test('whatever tables and keys are called, a name is one that Blob storage takes, in the slice of its row', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 128 }),
    fc.constantFrom('', '.', '..', '/', ' ', '漢'.repeat(128), '.'.repeat(128)),
  );
  const table = fc.record({ db: text, schema: text, name: text });
  fc.assert(
    fc.property(table, fc.array(text, { minLength: 1, maxLength: 4 }), (where, key) => {
      const name = largeValueName(FOLDER, documentId(where, key), versionNumber(1), sha256);
      assert.ok(name.length <= LONGEST_NAME, `${name.length}`);
      const parts = name.split('/');
      assert.equal(parts.length, 6);
      for (const part of parts) assert.match(part, /^[\w.~-]*[\w~-]$/);
      const slice = Number.parseInt(parts[1] ?? '', 16);
      assert.ok(slice < LARGE_VALUE_SLICES && name.startsWith(slicePrefix(FOLDER, slice)));
    }),
  );
});

test('rows, versions, values and containers have names of their own', () => {
  const names = ['1', '2'].flatMap((key) =>
    [1, 2].flatMap((version) =>
      ['b', 'c'].flatMap((digit) =>
        ['x', 'y'].map((folder) =>
          largeValueName(folder, documentId(purchases, [key]), versionNumber(version), digit.repeat(64)),
        ),
      ),
    ),
  );
  assert.equal(new Set(names).size, 16);
});
