import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deadLetterMetadata } from '../../src/deadletter/deadLetterMetadata.ts';
import { deadLetterName } from '../../src/deadletter/deadLetterName.ts';
import { storedLetter } from '../../src/deadletter/storedLetter.ts';
import { DataError } from '../../src/errors/dataError.ts';

const source = {
  hub: 'änderungen',
  partition: '3',
  sequenceNumber: '4711',
  offset: '99',
  enqueuedTime: '2026-08-07T16:25:01.000Z',
};

test('what was put aside is read back', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 50 }).map((value) => value.trim());
  fc.assert(
    fc.property(text, text, text, (message, table, value) => {
      const letter = {
        message: { body: Buffer.from('x'), source },
        error: new DataError('no-key', message),
        table: { db: 'shop', schema: 'dbo', name: table },
        key: [{ column: 'Id', value }],
      };
      const metadata = deadLetterMetadata(letter);
      const name = deadLetterName(letter, new Date(0));
      const read = storedLetter(name, { metadata, lastModified: new Date(0), contentLength: 1 });
      assert.deepEqual(read, {
        name,
        day: '2026-08-07',
        reason: 'no-key',
        message,
        table: `shop.dbo.${table}`,
        key: JSON.stringify({ Id: value }),
        keptTime: '1970-01-01T00:00:00.000Z',
        source,
        bytes: 1,
      });
    }),
  );
});

test('a blob without metadata tells what its name tells', () => {
  assert.deepEqual(storedLetter('2026-08-07/no-key/unknown-unknown-0', {}), {
    name: '2026-08-07/no-key/unknown-unknown-0',
    day: '2026-08-07',
    reason: 'no-key',
    source: {},
    bytes: 0,
  });
});

test('a name of another form has neither day nor reason, and text that is not encoded stays', () => {
  for (const name of ['stray', 'a/b/c', '2026-08-07/no-key', '']) {
    const letter = storedLetter(name, { metadata: { message: '100% wrong' } });
    assert.deepEqual([letter.day, letter.reason, letter.message], ['', '', '100% wrong']);
  }
});
