import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DeadLetter } from '../../src/deadletter/deadLetter.ts';
import { deadLetterMetadata } from '../../src/deadletter/deadLetterMetadata.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { MAX_METADATA_VALUE_BYTES } from '../../src/limits.ts';

/** All names and values of a blob's metadata together (Azure Blob Storage, setting metadata). */
const MAX_METADATA_BYTES = 8 * 1024;

const source = {
  hub: 'changes',
  partition: '3',
  sequenceNumber: '4711',
  offset: '99',
  enqueuedTime: '2026-08-07T16:25:01.000Z',
};

function letter(message: string, more: Partial<DeadLetter> = {}): DeadLetter {
  return { message: { body: Buffer.from('x'), source }, error: new DataError('no-key', message), ...more };
}

test('all that is known is told', () => {
  const metadata = deadLetterMetadata(
    letter('pkkey is empty', {
      table: { db: 'shop', schema: 'dbo', name: 'Größe' },
      key: [
        { column: 'Id', value: '7' },
        { column: 'Part', value: '漢 "x" 100%' },
      ],
    }),
  );
  assert.deepEqual(metadata, {
    reason: 'no-key',
    message: 'pkkey is empty',
    hub: 'changes',
    partition: '3',
    sequencenumber: '4711',
    offset: '99',
    enqueuedtime: '2026-08-07T16:25:01.000Z',
    table: 'shop.dbo.Gr%C3%B6%C3%9Fe',
    key: '{"Id":"7","Part":"%E6%BC%A2 \\"x\\" 100%25"}',
  });
});

test('what is not known is left out', () => {
  const bare = { message: { body: Buffer.from('x'), source: {} }, error: new DataError('no-row', 'none') };
  assert.deepEqual(deadLetterMetadata(bare), { reason: 'no-row', message: 'none' });
  assert.deepEqual(deadLetterMetadata({ ...bare, key: [] }), { reason: 'no-row', message: 'none' });
});

test('values are printable ASCII for any text, can be decoded, and say as much as fits', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.string({ unit: 'grapheme', minLength: 100, maxLength: 1500 }),
    fc.string({ unit: fc.constantFrom('\ud800', '\udc00', ' ', '%', '\n', 'a'), maxLength: 1500 }),
  );
  fc.assert(
    fc.property(text, (message) => {
      const { message: value = '' } = deadLetterMetadata(letter(message));
      assert.match(value, /^[\x20-\x7e]*$/);
      assert.equal(value, value.trim());
      assert.ok(value.length <= MAX_METADATA_VALUE_BYTES);
      const decoded = decodeURIComponent(value);
      const whole = message.toWellFormed().trim();
      assert.ok(decoded.length > 0 || whole.length === 0 || /^\s/u.test(whole));
      if (encodeURIComponent(whole).length <= MAX_METADATA_VALUE_BYTES) assert.equal(decoded.trim(), whole);
      else assert.ok(message.toWellFormed().includes(decoded));
    }),
    { numRuns: 500 },
  );
});

for (const [what, character, bytes] of [
  ['of one byte', 'a', 1],
  ['that are percent signs', '%', 3],
  ['of two bytes', 'ö', 6],
  ['of three bytes', '漢', 9],
  ['of four bytes', '\u{1f600}', 12],
] as const) {
  test(`a long text of characters ${what} is cut between characters`, () => {
    for (let shift = 0; shift < bytes; shift += 1) {
      const { message = '' } = deadLetterMetadata(letter(`${'x'.repeat(shift)}${character.repeat(2000)}`));
      const fitting = Math.floor((MAX_METADATA_VALUE_BYTES - shift) / bytes);
      assert.equal(decodeURIComponent(message), `${'x'.repeat(shift)}${character.repeat(fitting)}`);
    }
  });
}

test('a cut behind a space leaves no space at the end', () => {
  const { message } = deadLetterMetadata(letter(`${'x'.repeat(MAX_METADATA_VALUE_BYTES - 1)} yz`));
  assert.equal(message, 'x'.repeat(MAX_METADATA_VALUE_BYTES - 1));
});

test('with the longest table, key and message the metadata of a blob stays below the limit', () => {
  const long = '\u{1f600}'.repeat(5000);
  const metadata = deadLetterMetadata(
    letter(long, { table: { db: long, schema: long, name: long }, key: [{ column: long, value: long }] }),
  );
  const bytes = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  assert.ok(bytes > 3000 && bytes <= MAX_METADATA_BYTES, `${bytes} bytes`);
});

test('a key column may be called as anything', () => {
  const { key } = deadLetterMetadata(letter('x', { key: [{ column: '__proto__', value: '1' }] }));
  assert.equal(key, '{"__proto__":"1"}');
});
