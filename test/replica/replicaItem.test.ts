import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { join } from '../../src/replica/join.ts';
import { fromReplicaItem, type ReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import { isDeleted, type RowState } from '../../src/replica/rowState.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { changeOf, purchases, versionNumber } from './changeOf.ts';
import { reachableState, type Step, stateOf } from './rowHistory.ts';

const EIGHT_DAYS_S = 8 * 24 * 60 * 60;
const id = 'db1.dbo.Purchases:7' as ReplicaItem['id'];

const itemOf = (state: RowState) => toReplicaItem(id, purchases, state, EIGHT_DAYS_S);
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const step = (n: number, operation: Step['operation'], columns: object = {}, whole = false): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole });

test('the item of an insert', () => {
  const { rows } = rowChanges(
    {
      ...changeOf({
        operation: 'INS',
        types: [
          ['purchase_id', 'int'],
          ['customer_name', 'varchar(100)'],
          ['purchase_date', 'datetime'],
        ],
        key: [['purchase_id', '105']],
        current: [
          ['purchase_id', '105'],
          ['customer_name', 'Anna Doe'],
          ['purchase_date', '2025-03-14 16:45:01.000'],
        ],
        n: 0x2c00000300017c,
      }),
      time: '2025-03-14T16:45:20.650Z',
    },
    rulesFor(purchases),
  );
  const [row] = rows;
  assert.ok(row);
  assert.equal(
    JSON.stringify(toReplicaItem(row.id, purchases, row.state, EIGHT_DAYS_S)),
    JSON.stringify({
      id: 'db1.dbo.Purchases:105',
      pkkey: 'db1.dbo.Purchases:105',
      db: 'db1',
      schema: 'dbo',
      table: 'Purchases',
      key: { purchase_id: 105 },
      row: { purchase_id: 105, customer_name: 'Anna Doe', purchase_date: '2025-03-14T16:45:01.000' },
      _ces: {
        version: '0000:0000002C00000300017C:00000000000000000001',
        image: '0000:0000002C00000300017C:00000000000000000001',
        operation: 'INS',
        time: '2025-03-14T16:45:20.650Z',
        transaction: { id: '0000002c:00000300:017c', total_order: 1 },
      },
    }),
  );
});

test('a tombstone has no row and ends by itself', () => {
  assert.deepEqual(itemOf(join(step(1, 'INS', { a: 1 }), step(2, 'DEL'))), {
    id,
    pkkey: id,
    db: 'db1',
    schema: 'dbo',
    table: 'Purchases',
    key: { id: 7 },
    deleted: true,
    ttl: EIGHT_DAYS_S,
    _ces: {
      version: versionNumber(2),
      image: versionNumber(2),
      operation: 'DEL',
      time: '2026-01-01T00:00:00.002Z',
      transaction: { id: '00000000:00000000:0002', total_order: 1 },
    },
  });
});

test('a row that comes back has neither the mark nor the end of its tombstone', () => {
  const item = itemOf(join(step(2, 'DEL'), step(3, 'INS', { a: 3 })));
  assert.equal('deleted' in item || 'ttl' in item, false);
  assert.deepEqual(item.row, { a: 3 });
});

test('columns set after a delete are live, and the delete stays known', () => {
  const item = itemOf(join(step(2, 'DEL'), step(3, 'UPD', { a: 3 })));
  assert.deepEqual(item.row, { a: 3 });
  assert.equal(item._ces.imageDeleted, true);
  assert.equal('deleted' in item || 'ttl' in item, false);
});

test('a row that is kept when it is deleted is marked, and does not end by itself', () => {
  const remove = stateOf({
    n: 2,
    operation: 'DEL',
    columns: new Map(Object.entries({ a: 2 })),
    whole: false,
    soft: true,
  });
  const item = itemOf(join(step(1, 'INS', { a: 1, b: 1 }), remove));
  assert.equal(item.deleted, true);
  assert.equal('ttl' in item, false);
  assert.deepEqual(item.row, { a: 2, b: 1 });
  assert.deepEqual(item._ces.columns, { [versionNumber(1)]: ['b'] });
  assert.equal(item._ces.others, `${versionNumber(2)}:0`);
});

// Two changes of one version: what the delete told must not win against what was written, also after a read.
test('what a soft delete told is older than a write of the same version, also when it was stored between', () => {
  const remove = {
    n: 2,
    operation: 'DEL',
    columns: new Map([['a', 'z']]),
    whole: false,
    soft: true,
  } as const;
  for (const whole of [false, true]) {
    const write = step(2, 'UPD', { a: 'a' }, whole);
    const stored = fromReplicaItem(throughJson(itemOf(stateOf(remove))));
    assert.deepEqual(itemOf(join(stored, write)).row, { a: 'a' });
  }
});

test('an unknown time is left out', () => {
  const state = step(1, 'INS', { a: 1 });
  assert.equal('time' in itemOf({ ...state, newest: { ...state.newest, time: null } })._ces, false);
});

test('every reachable state comes back from its item as it was', () => {
  fc.assert(
    fc.property(reachableState, (state) => {
      const back = fromReplicaItem(throughJson(itemOf(state)));
      assert.deepEqual(back, state);
      // deepEqual does not look at a property called __proto__ of a plain object; the map has it as a key.
      assert.deepEqual([...back.cells.keys()].sort(), [...state.cells.keys()].sort());
      // "Nothing to write" must hold for what was read back, too.
      assert.equal(join(back, state), back);
    }),
    { numRuns: 3_000 },
  );
});

test('what is kept beside the row does not depend on the order in which it came', () => {
  fc.assert(
    fc.property(reachableState, reachableState, (a, b) =>
      assert.deepEqual(itemOf(join(a, b))._ces, itemOf(join(b, a))._ces),
    ),
    { numRuns: 1_000 },
  );
});

test('source columns stand under row only', () => {
  fc.assert(
    fc.property(reachableState, (state) => {
      const { row, ...rest } = itemOf(state);
      const own = ['id', 'pkkey', 'db', 'schema', 'table', 'key', '_ces', 'deleted', 'ttl'];
      for (const name of Object.keys(rest)) assert.ok(own.includes(name), name);
      assert.equal('ttl' in rest, row === undefined);
      assert.equal('deleted' in rest, isDeleted(state));
      if (row === undefined) assert.ok(isDeleted(state));
      assert.deepEqual(Object.keys(row ?? {}).sort(), [...state.cells.keys()].sort());
    }),
  );
});

describe('what is kept beside the row', () => {
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`column ${index}`, 0]));
  const bytesBesideRow = (state: RowState) => Buffer.byteLength(JSON.stringify(itemOf(state)._ces));
  const updates = (count: number, columns: object, whole = false) =>
    Array.from({ length: count }, (_, index) => step(index + 2, 'UPD', columns, whole));

  test('does not grow with updates that send all columns', () => {
    const insert = step(1, 'INS', wide);
    for (const whole of [false, true]) {
      const once = updates(1, wide, whole).reduce(join, insert);
      const often = updates(200, wide, whole).reduce(join, insert);
      assert.equal(bytesBesideRow(often), bytesBesideRow(once));
      assert.equal('columns' in itemOf(often)._ces, false);
    }
  });

  test('does not grow with updates of the same columns', () => {
    const insert = step(1, 'INS', wide);
    const once = updates(1, { 'column 1': 1 }).reduce(join, insert);
    const often = updates(8, { 'column 1': 1 }).reduce(join, insert);
    assert.equal(bytesBesideRow(often), bytesBesideRow(once));
    assert.deepEqual(itemOf(often)._ces.columns, { [versionNumber(9)]: ['column 1'] });
  });

  test('lists the columns of the smaller groups', () => {
    const state = [step(2, 'UPD', { a: 2, b: 2, c: 2 }), step(3, 'UPD', { d: 3 })].reduce(
      join,
      step(1, 'INS', { a: 1, b: 1, c: 1, d: 1, e: 1 }),
    );
    const { others, columns, image } = itemOf(state)._ces;
    assert.equal(image, versionNumber(1));
    assert.equal(others, versionNumber(2));
    assert.deepEqual(columns, { [versionNumber(1)]: ['e'], [versionNumber(3)]: ['d'] });
  });

  test('says no image while none was seen', () => {
    const { image, others, columns } = itemOf(step(4, 'UPD', { a: 4 }))._ces;
    assert.deepEqual([image, others, columns], [undefined, versionNumber(4), undefined]);
  });
});
