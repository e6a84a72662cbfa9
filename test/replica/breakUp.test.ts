import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_ITEM_BYTES } from '../../src/limits.ts';
import { applyRows } from '../../src/replica/applyRows.ts';
import type { RowEnd } from '../../src/replica/breakUp.ts';
import { documentId } from '../../src/replica/documentId.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { Row, RowResult } from '../../src/replica/rowStep.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import type { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { purchases } from './changeOf.ts';
import { faultyStore } from './faultyStore.ts';
import { type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;

const id = documentId(purchases, ['1']);
const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });

/** A store that refuses every item whose row has the value `bad`. */
const pickyStore = (): MemoryStore =>
  faultyStore((operation) =>
    operation.kind !== 'read' && Object.values(operation.item.row ?? {}).includes('bad')
      ? { kind: 'refused' }
      : undefined,
  );

async function endOf(changes: readonly RowState[], store: MemoryStore): Promise<RowEnd | undefined> {
  const row: Row = { id, rules: rulesFor(purchases, { largeValues: 'dead-letter' }), changes };
  const { results } = await applyRows(
    [row],
    { store, largeValues: new MemoryLargeValues() },
    new PatientDeadline(),
    TTL_S,
  );
  return results[0];
}

const summaryOf = (result: RowResult): string => {
  if (result.kind === 'withheld') return result.kind;
  return result.kind === 'rejected' ? result.error.code : String(result.applied[0]);
};
const summariesOf = (end: RowEnd | undefined): readonly string[] => {
  assert.ok(end?.kind === 'apart', `the row ended ${end?.kind}`);
  return end.results.map(summaryOf);
};

describe('of the changes of a row that is refused', () => {
  // All changes of the row in the batch became dead letters because of one of them.
  test('only the one that makes it refused is rejected', async () => {
    const store = pickyStore();
    const end = await endOf(
      [change(3, 'UPD', { c: 3 }), change(1, 'INS', { a: 1, b: 1 }), change(2, 'UPD', { b: 'bad' })],
      store,
    );
    assert.deepEqual(summariesOf(end), ['true', 'true', 'refused-by-cosmos']);
    assert.deepEqual(store.item(id)?.row, { a: 1, b: 1, c: 3 });
  });

  test('only those that make it too large are rejected', async () => {
    const store = pickyStore();
    const half = 'x'.repeat(MAX_ITEM_BYTES / 2);
    const end = await endOf(
      [change(1, 'INS', { a: half, b: '' }), change(2, 'UPD', { b: half }), change(3, 'UPD', { c: 3 })],
      store,
    );
    assert.deepEqual(summariesOf(end), ['true', 'item-too-large', 'true']);
    assert.deepEqual(store.item(id)?.row, { a: half, b: '', c: 3 });
  });

  test('all are rejected when the item is of someone else', async () => {
    const store = pickyStore();
    store.put(id, { id, pkkey: id, name: 'theirs' });
    const end = await endOf([change(1, 'INS', { a: 1 }), change(2, 'UPD', { a: 2 })], store);
    assert.equal(end?.kind === 'rejected' && end.error.code, 'foreign-item');
  });

  test('none is sent apart when a later change makes the row acceptable', async () => {
    const store = pickyStore();
    const end = await endOf([change(1, 'INS', { a: 'bad' }), change(2, 'UPD', { a: 2 })], store);
    assert.deepEqual(end, { kind: 'done', applied: [true, true] });
    assert.equal(store.writes, 1);
  });
});

test('what is left is what the acceptable changes make, in whatever order they come', async () => {
  const columns = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2, 3, 'bad'), {
    minKeys: 1,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(columns, { minLength: 2, maxLength: 6 }), fc.nat(), async (updates, turn) => {
      const ordered = [{ a: 0, b: 0, c: 0 }, ...updates].map((values, index) =>
        change(index + 1, index === 0 ? 'INS' : 'UPD', values),
      );
      const shift = turn % ordered.length;
      const store = pickyStore();
      const end = await endOf([...ordered.slice(shift), ...ordered.slice(0, shift)], store);
      if (end?.kind === 'done') return;
      const acceptable = updates.filter((values) => !Object.values(values).includes('bad'));
      assert.deepEqual(store.item(id)?.row, Object.assign({ a: 0, b: 0, c: 0 }, ...acceptable));
      assert.equal(
        summariesOf(end).filter((one) => one === 'refused-by-cosmos').length,
        updates.length - acceptable.length,
      );
    }),
    { numRuns: 300 },
  );
});
