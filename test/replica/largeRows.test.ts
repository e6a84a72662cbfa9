import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { LARGE_VALUE_AGE_SECONDS, LARGE_VALUE_TRIES, MAX_ITEM_BYTES } from '../../src/limits.ts';
import { applyRows, type RowStores } from '../../src/replica/applyRows.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { isReference, type RowValue } from '../../src/replica/largeValue.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { Row } from '../../src/replica/rowStep.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { purchases } from './changeOf.ts';
import { faultyStore, type StoreFault } from './faultyStore.ts';
import { replay, type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;
/** Small, so that small texts are large values. */
const ITEM_BYTES = 2_000;
const LARGE = 'x'.repeat(ITEM_BYTES);

const id = documentId(purchases, ['1']);
const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });
const rowOf = (changes: readonly RowState[], itemBytes = ITEM_BYTES): Row => ({
  id,
  rules: rulesFor(purchases, { itemBytes }),
  changes,
});

/** Stores in memory; no item is ever written before the values that it refers to. */
class Stores implements RowStores {
  readonly largeValues = new MemoryLargeValues();
  faults: (StoreFault | undefined)[] = [];
  readonly store = faultyStore((operation) => {
    if (operation.kind !== 'read') {
      for (const value of Object.values(operation.item.row ?? {}))
        if (isReference(value))
          assert.ok(this.largeValues.text(value.$blob) !== undefined, 'value stored first');
    }
    return this.faults.shift();
  });

  /** The columns of the row with their texts; undefined for a tombstone. */
  columns(): ReadonlyMap<string, RowValue | undefined> | undefined {
    const row = this.store.item(id)?.row;
    if (row === undefined) return undefined;
    return new Map(
      Object.entries(row).map(([column, value]) => [
        column,
        isReference(value) ? this.largeValues.text(value.$blob) : value,
      ]),
    );
  }

  references(): string[] {
    return Object.entries(this.store.item(id)?.row ?? {}).flatMap(([column, value]) =>
      isReference(value) ? [column] : [],
    );
  }
}

const apply = (stores: RowStores, row: Row, deadline: Deadline = new PatientDeadline()) =>
  applyRows([row], stores, deadline, TTL_S);

describe('a row that does not fit into an item', () => {
  test('of ten columns of 1 MB is stored, and a replay sends nothing but a read', async () => {
    const stores = new Stores();
    const columns = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`c${index}`, String(index).repeat(1_048_576)]),
    );
    const row = rowOf([change(1, 'INS', { id: 1, ...columns })], MAX_ITEM_BYTES);
    const { operations } = await apply(stores, row);
    assert.equal(operations.largeValues, 9);
    assert.equal(stores.references().length, 9);
    assert.deepEqual(Object.fromEntries(stores.columns() ?? []), { id: 1, ...columns });
    const calls = { ...stores.largeValues.calls };
    const again = await apply(stores, row);
    assert.deepEqual(again.results, [{ kind: 'done', applied: [false], before: change(1, 'INS').newest }]);
    assert.deepEqual(again.operations, {
      reads: 1,
      writes: 0,
      failedWrites: 0,
      requestUnits: 1,
      largeValues: 0,
    });
    assert.deepEqual(stores.largeValues.calls, calls);
  });

  test('keeps its reference when another column changes, and nothing is read for it', async () => {
    const stores = new Stores();
    await apply(stores, rowOf([change(1, 'INS', { a: LARGE, b: 1 })]));
    const calls = { ...stores.largeValues.calls };
    await apply(stores, rowOf([change(2, 'UPD', { b: 2 })]));
    assert.deepEqual(stores.largeValues.calls, calls);
    assert.deepEqual(Object.fromEntries(stores.columns() ?? []), { a: LARGE, b: 2 });
  });

  test('has no reference any more when it is deleted, and keeps them when its delete is soft', async () => {
    const stores = new Stores();
    await apply(stores, rowOf([change(1, 'INS', { a: LARGE, b: 1 })]));
    const soft = { ...change(2, 'DEL'), image: null };
    await apply(stores, rowOf([soft]));
    assert.equal(stores.store.item(id)?.deleted, true);
    assert.deepEqual(Object.fromEntries(stores.columns() ?? []), { a: LARGE, b: 1 });
    await apply(stores, rowOf([change(3, 'DEL')]));
    assert.equal(stores.columns(), undefined);
  });

  test('is put aside where the table has it so, or nothing is left to move', async () => {
    const stores = new Stores();
    const row = rowOf([change(1, 'INS', { a: LARGE })]);
    const off: Row = { ...row, rules: { ...row.rules, largeValues: 'dead-letter' } };
    const small = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}`, 'small']));
    for (const one of [off, rowOf([change(1, 'INS', small)])]) {
      const [result] = (await apply(stores, one)).results;
      assert.equal(result?.kind === 'rejected' && result.error.code, 'item-too-large');
    }
    assert.deepEqual(stores.largeValues.names(), []);
    assert.equal(stores.store.writes, 0);
  });
});

describe('while Blob storage does not store values', () => {
  const outage = async (): Promise<never> => {
    throw new OutageError('Blob storage: storing a large value failed (503)');
  };

  test('the item is not written, the others of the batch are, and the batch fails at its deadline', async () => {
    const stores = new Stores();
    stores.largeValues.before = outage;
    const other = { ...rowOf([change(1, 'INS', { a: 1 })]), id: documentId(purchases, ['2']) };
    const rows = [rowOf([change(1, 'INS', { a: LARGE })]), other];
    await assert.rejects(applyRows(rows, stores, new Deadline(0.05), TTL_S), (error) => {
      assert.ok(error instanceof OutageError);
      assert.match(error.message, /writing 1 of 2 rows .*storing a large value failed/);
      return true;
    });
    assert.deepEqual(
      stores.store.items().map((item) => item.id),
      [other.id],
    );
  });

  test('the row waits, and is applied once when it does again', async () => {
    const stores = new Stores();
    let failures = 5;
    stores.largeValues.before = async () => {
      failures -= 1;
      if (failures > 0) await outage();
    };
    const deadline = new PatientDeadline();
    const { results, operations } = await apply(stores, rowOf([change(1, 'INS', { a: LARGE })]), deadline);
    assert.deepEqual(results, [{ kind: 'done', applied: [true] }]);
    assert.deepEqual([operations.writes, operations.failedWrites, deadline.waits.length], [1, 0, 4]);
  });

  test('a value that is refused though nothing is in its place counts as one that is not stored', async () => {
    const stores = new Stores();
    let refusals = LARGE_VALUE_TRIES;
    const { largeValues } = stores;
    const create = largeValues.create.bind(largeValues);
    largeValues.create = async (value) => {
      refusals -= 1;
      return refusals >= 0 ? false : create(value);
    };
    const deadline = new PatientDeadline();
    await apply(stores, rowOf([change(1, 'INS', { a: LARGE })]), deadline);
    assert.deepEqual([deadline.waits.length, stores.columns()?.get('a')], [1, LARGE]);
  });
});

test('a value that lies there already is written again only when it is old', async () => {
  for (const [age, renewals] of [
    [0, 0],
    [LARGE_VALUE_AGE_SECONDS / 2 - 1, 0],
    [LARGE_VALUE_AGE_SECONDS / 2, 1],
  ] as const) {
    const stores = new Stores();
    const row = rowOf([change(1, 'INS', { a: LARGE })]);
    await apply(stores, row);
    stores.store.remove(id);
    stores.largeValues.now += age;
    await apply(stores, row);
    assert.deepEqual(stores.largeValues.calls, { create: 2, age: 1, renew: renewals, list: 0, remove: 0 });
    assert.equal(stores.columns()?.get('a'), LARGE);
  }
});

const text = fc.constantFrom('', 'a', 'b'.repeat(700), 'c'.repeat(1_500), '€"\\'.repeat(800));
const steps: fc.Arbitrary<readonly Step[]> = fc.uniqueArray(
  fc
    .record({
      n: fc.integer({ min: 1, max: 8 }),
      operation: fc.constantFrom<Step['operation']>('INS', 'UPD', 'UPD', 'DEL'),
      columns: fc.dictionary(fc.constantFrom('a', 'b', 'c'), text, { minKeys: 1 }),
      whole: fc.boolean(),
    })
    .map(
      ({ columns, ...step }): Step =>
        step.operation === 'DEL'
          ? { ...step, columns: new Map(), whole: false }
          : { ...step, columns: new Map(Object.entries(columns)) },
    ),
  { minLength: 1, maxLength: 8, selector: ({ n }) => n },
);
const fault: fc.Arbitrary<StoreFault | undefined> = fc.option(
  fc.constantFrom<StoreFault>(
    { kind: 'throttled', retryAfterMs: 1 },
    { kind: 'lostBefore' },
    { kind: 'lostAfter' },
  ),
  { nil: undefined },
);

test('in any order, in any batches, through faults of both storages, the row is that of the source', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps.chain((some) =>
        fc.record({
          some: fc.constant(some),
          order: fc.shuffledSubarray([...some, ...some], { minLength: 2 * some.length }),
        }),
      ),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
      fc.array(fault, { maxLength: 10 }),
      fc.array(fc.boolean(), { maxLength: 10 }),
      async ({ some, order }, sizes, faults, blobFaults) => {
        const stores = new Stores();
        stores.faults = [...faults];
        stores.largeValues.before = async () => {
          if (blobFaults.shift() === true) throw new OutageError('no storage');
        };
        for (let start = 0, batch = 0; start < order.length; batch += 1) {
          const size = sizes[batch % sizes.length] ?? 1;
          const changes = order.slice(start, start + size).map(stateOf);
          const { results } = await apply(stores, rowOf(changes));
          assert.equal(results[0]?.kind, 'done');
          start += size;
        }
        assert.deepEqual(stores.columns() ?? null, replay(some).columns);
      },
    ),
    { numRuns: 200 },
  );
});
