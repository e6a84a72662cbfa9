import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DataError } from '../../src/errors/dataError.ts';
import { fromReplicaItem, type ReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import { stampOf } from '../../src/replica/stamp.ts';
import { readStoredItem } from '../../src/replica/storedItem.ts';
import { purchases, versionNumber } from './changeOf.ts';
import { reachableState } from './rowHistory.ts';

const reference = { $blob: 'rows/00/a', bytes: 5, sha256: 'a'.repeat(64) };
const good = {
  id: 'x',
  pkkey: 'x',
  key: { id: 7 },
  row: { a: 1, b: null },
  _ces: {
    version: versionNumber(3),
    image: versionNumber(1),
    others: versionNumber(2),
    columns: { [versionNumber(3)]: ['a'] },
    operation: 'UPD',
    time: '2026-01-01T00:00:00.000Z',
  },
};

const refusedAt = (property: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DataError, String(error));
  assert.equal(error.code, 'foreign-item');
  assert.match(error.message, property);
  assert.doesNotMatch(error.message, /marker/);
  return true;
};

test('an item of this app, with what the service adds to it', () => {
  const item = readStoredItem({ ...good, _rid: 'r', _etag: '"e"', _ts: 1, _attachments: '' });
  assert.deepEqual(item, {
    key: { id: 7 },
    row: { a: 1, b: null },
    deleted: false,
    version: versionNumber(3),
    image: versionNumber(1),
    imageDeleted: false,
    others: stampOf(versionNumber(2), false),
    columns: new Map([['a', stampOf(versionNumber(3), false)]]),
    totalOrder: null,
    dataCollectionOrder: null,
    operation: 'UPD',
    time: '2026-01-01T00:00:00.000Z',
  });
});

test('a reference among the values', () => {
  const row = { a: { sha256: reference.sha256, bytes: 5, $blob: reference.$blob }, b: null };
  assert.deepEqual(readStoredItem({ ...good, row }).row, { a: reference, b: null });
});

test('numbers of the transaction, where they are some', () => {
  const ordersOf = (transaction: unknown) => {
    const { totalOrder, dataCollectionOrder } = readStoredItem({
      ...good,
      _ces: { ...good._ces, transaction },
    });
    return [totalOrder, dataCollectionOrder];
  };
  assert.deepEqual(ordersOf({ total_order: 3, data_collection_order: 2 }), [3, 2]);
  for (const junk of ['2', 1.5, -1, null, {}])
    assert.deepEqual(ordersOf({ total_order: junk, data_collection_order: junk }), [null, null]);
  assert.deepEqual(ordersOf('junk'), [null, null]);
});

const ces = (part: object) => ({ ...good, _ces: { ...good._ces, ...part } });
const broken: readonly (readonly [name: string, stored: unknown, property: RegExp])[] = [
  ['nothing', undefined, /the item/],
  ['null', null, /the item/],
  ['text', 'marker', /the item/],
  ['a list', [good], /the item/],
  ['an item without _ces', { id: 'x', marker: 'marker' }, /_ces$/],
  ['_ces as text', { ...good, _ces: 'marker' }, /_ces$/],
  ['no version', ces({ version: undefined }), /_ces\.version/],
  ['a version in lower case', ces({ version: versionNumber(10).toLowerCase() }), /_ces\.version/],
  ['a version as a number', ces({ version: 1 }), /_ces\.version/],
  ['another operation', ces({ operation: 'marker' }), /_ces\.operation/],
  ['an operation that is no text', ces({ operation: ['INS'] }), /_ces\.operation/],
  ['a time that is no text', ces({ time: 1 }), /_ces\.time/],
  ['a malformed image', ces({ image: 'marker' }), /_ces\.image/],
  ['an image of null', ces({ image: null }), /_ces\.image/],
  ['malformed others', ces({ others: 5 }), /_ces\.others/],
  ['columns as a list', ces({ columns: [] }), /_ces\.columns/],
  ['columns without a list', ces({ columns: { [versionNumber(3)]: 5 } }), /_ces\.columns/],
  ['columns as text', ces({ columns: { [versionNumber(3)]: 'marker' } }), /_ces\.columns/],
  ['an object in the row', { ...good, row: { a: { marker: 1 } } }, /row$/],
  ['a reference with more in it', { ...good, row: { a: { ...reference, marker: 1 } } }, /row$/],
  ['a reference with a broken hash', { ...good, row: { a: { ...reference, sha256: 'marker' } } }, /row$/],
  ['a reference in the key', { ...good, key: { id: reference } }, /key$/],
  ['a column that is no text', ces({ columns: { [versionNumber(3)]: [null] } }), /_ces\.columns/],
  ['columns of a malformed version', ces({ columns: { marker: ['a'] } }), /_ces\.columns/],
  ['no key', { ...good, key: undefined }, /key$/],
  ['no row', { ...good, row: undefined }, /row$/],
  ['a row as text', { ...good, row: 'marker' }, /row$/],
  ['a row with something nested', { ...good, row: { a: { marker: 1 } } }, /row$/],
  ['a tombstone with a broken row', { ...good, deleted: true, row: 5 }, /row$/],
];

for (const [name, stored, property] of broken) {
  test(`refuses ${name}`, () => assert.throws(() => fromReplicaItem(stored), refusedAt(property)));
}

test('refuses columns of which no version is known', () => {
  const stored = ces({ image: undefined, others: undefined });
  assert.throws(() => fromReplicaItem(JSON.parse(JSON.stringify(stored))), refusedAt(/_ces\.others/));
});

test('any JSON is read or refused, and never anything else', () => {
  fc.assert(fc.property(fc.jsonValue({ depthSize: 'medium' }), readOrRefused), { numRuns: 2_000 });
});

test('an item of this app with anything put in any place is read or refused', () => {
  fc.assert(
    fc.property(reachableState, fc.nat(), fc.jsonValue(), (state, place, junk) => {
      const item: unknown = JSON.parse(
        JSON.stringify(toReplicaItem('x' as ReplicaItem['id'], purchases, state, 60)),
      );
      const places = placesIn(item);
      const [holder, name] = places[place % places.length] ?? [];
      if (holder !== undefined && name !== undefined) holder[name] = junk;
      readOrRefused(item);
    }),
    { numRuns: 3_000 },
  );
});

function readOrRefused(stored: unknown): void {
  try {
    fromReplicaItem(stored);
  } catch (error) {
    refusedAt(/^the stored item/)(error);
  }
}

type Holder = Record<string, unknown>;

/** Every property at every depth, with the object that has it. */
function placesIn(value: unknown): (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((name) => [[holder, name] as const, ...placesIn(holder[name])]);
}
