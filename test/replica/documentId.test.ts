import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Bug } from '../../src/errors/bug.ts';
import { MAX_ID_BYTES } from '../../src/limits.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { adversarialText } from '../support/adversarialText.ts';

type Row = readonly [db: string, schema: string, name: string, ...key: string[]];

const idOf = ([db, schema, name, ...key]: Row) => documentId({ db, schema, name }, key);

const row = fc
  .tuple(
    fc.tuple(adversarialText, adversarialText, adversarialText),
    fc.array(adversarialText, { minLength: 1, maxLength: 4 }),
  )
  .map(([names, key]): Row => [...names, ...key]);

test('the examples', () => {
  assert.equal(idOf(['db1', 'dbo', 'Purchases', '105']), 'db1.dbo.Purchases:105');
  assert.equal(idOf(['db1', 'dbo', 'Lines', '7', '2']), 'db1.dbo.Lines:7,2');
  assert.equal(idOf(['d', 's', 'My Table', 'a/b']), 'd.s.My~20Table:a~2Fb');
  assert.equal(idOf(['d', 's', 't', 'é', '€', '😀']), 'd.s.t:~E9,~u20AC,~uD83D~uDE00');
  assert.equal(idOf(['d', 's', 't', '2025-01-01 10:00:00.5', '']), 'd.s.t:2025-01-01~2010~3A00~3A00~2E5,');
  assert.equal(idOf(['d', 's', 't', '~~', '~2F']), 'd.s.t:~7E~7E,~7E2F');
});

test('distinct rows have distinct ids', () => {
  fc.assert(
    fc.property(row, row, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      assert.equal(idOf(a) === idOf(b), same);
    }),
    { numRuns: 5_000 },
  );
});

// Two rows that a careless encoding maps to one id differ in where the same characters stand.
test('moving a cut between names and key values gives another id', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'.,:~/a2F'), minLength: 8, maxLength: 12 }),
      fc.uniqueArray(fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 3, maxLength: 5 }), {
        minLength: 2,
        maxLength: 8,
        selector: (cuts) => [...cuts].sort((a, b) => a - b).join(),
      }),
      (text, cutLists) => {
        const ids = cutLists.map((cuts) =>
          idOf(
            cutAt(
              text,
              [...cuts].sort((a, b) => a - b),
            ),
          ),
        );
        assert.equal(new Set(ids).size, cutLists.length);
      },
    ),
    { numRuns: 1_000 },
  );
});

function cutAt(text: string, cuts: readonly number[]): Row {
  const [db = '', schema = '', name = '', ...key] = [0, ...cuts].map((from, index) =>
    text.slice(from, cuts[index]),
  );
  return [db, schema, name, ...key];
}

test('ids have safe characters only and fit', () => {
  fc.assert(
    fc.property(row, (one) => {
      const id = idOf(one);
      assert.match(id, /^[A-Za-z0-9_.:,~-]+$/);
      assert.ok(Buffer.byteLength(id) <= MAX_ID_BYTES);
    }),
    { numRuns: 2_000 },
  );
});

test('a long key becomes a digest of the whole, as long as an id may be', () => {
  const long = (last: string) => idOf(['db1', 'dbo', 'T', `${'k'.repeat(2_000)}${last}`]);
  const id = long('1');
  assert.equal(id.length, MAX_ID_BYTES);
  assert.match(id, /^db1\.dbo\.T:k+~~[0-9a-f]{64}$/);
  assert.notEqual(id, long('2'));
  assert.equal(id, long('1'));
});

test('the longest id that fits is not cut', () => {
  const prefix = 'd.s.t:';
  const fits = 'k'.repeat(MAX_ID_BYTES - prefix.length);
  assert.equal(idOf(['d', 's', 't', fits]), prefix + fits);
  assert.match(idOf(['d', 's', 't', `${fits}k`]), /~~[0-9a-f]{64}$/);
});

test('a digest can be cut inside an escape and is still no other row’s id', () => {
  const ids = [0, 1, 2, 3, 4, 5].map((shift) => idOf(['d', 's', 't', 'k'.repeat(shift) + '€'.repeat(400)]));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.equal(id.length, MAX_ID_BYTES);
});

test('no id that is not a digest contains its mark', () => {
  fc.assert(
    fc.property(adversarialText, (value) => {
      const id = idOf(['d', 's', 't', value]);
      if (id.length < MAX_ID_BYTES) assert.equal(id.includes('~~'), false);
    }),
  );
});

// Sinks that replace / \ ? # by _ make one document of a/b and a_b; sinks that pad or trim make one of 'a' and 'a '.
test('values that are alike to other sinks are not alike here', () => {
  const alike = ['a/b', 'a_b', 'a\\b', 'a?b', 'a#b', 'a%2Fb', 'a~2Fb', 'a b', 'A/B', 'a/b ', ' a/b', 'a/b\0'];
  assert.equal(new Set(alike.map((value) => idOf(['d', 's', 't', value]))).size, alike.length);
});

// Escapes of unequal length would run into what stands behind them.
test('an escape and what follows it are not another escape', () => {
  const alike = ['\nB', '\u00ab', '\u00e9F', '\u0e9f', '\x000', '\u0000', 'u00e9', '\u20ac1', '\u00201'];
  assert.equal(new Set(alike.map((value) => idOf(['d', 's', 't', value]))).size, alike.length);
});

test('names of other letter case are other tables', () => {
  assert.notEqual(idOf(['d', 's', 'T', '1']), idOf(['d', 's', 't', '1']));
});

test('an id without a key value is a mistake of the caller', () => {
  assert.throws(() => documentId({ db: 'd', schema: 's', name: 't' }, []), Bug);
});
