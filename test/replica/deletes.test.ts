import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { fold } from '../../src/replica/fold.ts';
import { fromReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { TableRules } from '../../src/replica/tableRules.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { changeOf, purchases } from './changeOf.ts';

type Deletes = TableRules['deletes'];
type Values = Readonly<Record<string, string>>;

/** What happens to a source table of three keys; what a state of the table does not allow does nothing. */
const step = fc.record({
  what: fc.constantFrom('write', 'write', 'update', 'delete', 'move'),
  key: fc.constantFrom('1', '2', '3'),
  to: fc.constantFrom('1', '2', '3'),
  /** Updates carry this column, or all. */
  only: fc.constantFrom('a', 'b', undefined),
  /** Old values come without the column b, as large ones do. */
  short: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Row {
  readonly values: Values;
  readonly deleted: boolean;
}

/** The independent model: the source, and what a replica of it must come to, done in the order of the log. */
class Model {
  readonly changes: Change[] = [];
  readonly replica = new Map<string, Row>();
  readonly #source = new Map<string, Values>();
  readonly #deletes: Deletes;
  readonly #replaces: boolean;

  constructor(deletes: Deletes, replaces: boolean) {
    this.#deletes = deletes;
    this.#replaces = replaces;
  }

  do({ what, key, to, only, short }: Step): void {
    const n = this.changes.length + 1;
    const row = this.#source.get(key);
    const fresh = { id: key, a: `a${n}`, b: `b${n}` };
    if (what === 'write' && row === undefined) {
      this.#change('INS', key, null, fresh);
      this.#source.set(key, fresh);
      this.#set(key, fresh, true);
    } else if (what === 'update' && row !== undefined) {
      const sent = only === undefined || this.#replaces ? fresh : { id: key, [only]: fresh[only] };
      this.#change('UPD', key, row, sent);
      this.#source.set(key, { ...row, ...sent });
      this.#set(key, sent, this.#replaces);
    } else if (what === 'delete' && row !== undefined) {
      const old: Values = short ? { id: key, a: row['a'] ?? '' } : row;
      this.#change('DEL', key, old, null);
      this.#remove(key, old);
    } else if (what === 'move' && row !== undefined && !this.#source.has(to)) {
      const moved = { ...row, id: to };
      const old: Values = short ? { id: key, a: row['a'] ?? '' } : row;
      const sent: Values = only === undefined ? moved : { id: to, [only]: row[only] ?? '' };
      this.#change('UPD', to, old, sent);
      this.#remove(key, old);
      // A row begins under its new key: nothing of an earlier one there is its own.
      this.#set(to, { ...old, ...sent }, true);
      this.#source.set(to, moved);
    }
  }

  #change(operation: Change['operation'], key: string, old: Values | null, current: Values | null): void {
    this.changes.push(
      changeOf({
        operation,
        n: this.changes.length + 1,
        types: ['id', 'a', 'b'].map((name) => [name, 'varchar(9)']),
        key: [['id', key]],
        old: old && Object.entries(old),
        current: current && Object.entries(current),
      }),
    );
  }

  #set(key: string, values: Values, isImage: boolean): void {
    const before = isImage ? {} : this.replica.get(key)?.values;
    this.replica.set(key, { values: { ...before, ...values }, deleted: false });
  }

  #remove(key: string, old: Values): void {
    this.#source.delete(key);
    if (this.#deletes === 'ignore') return;
    const kept = this.#deletes === 'soft' ? { ...this.replica.get(key)?.values, ...old } : {};
    this.replica.set(key, { values: kept, deleted: true });
  }
}

/** Applies changes a few at a time to what is stored as JSON in between. */
function replicaOf(changes: readonly Change[], rulesOf: (index: number) => TableRules, groupSize: number) {
  const stored = new Map<string, string>();
  for (let start = 0; start < changes.length; start += groupSize) {
    const group = changes.slice(start, start + groupSize);
    const rows = group.flatMap((change, index) => rowChanges(change, rulesOf(start + index)).rows);
    for (const [id, states] of Map.groupBy(rows, (row) => row.id)) {
      const before = stored.get(id);
      const known: RowState | null = before === undefined ? null : fromReplicaItem(JSON.parse(before));
      const { state } = fold(
        known,
        states.map((row) => row.state),
      );
      stored.set(id, JSON.stringify(toReplicaItem(id, purchases, state, 9)));
    }
  }
  return new Map(
    [...stored.values()].map((text): [string, Row] => {
      const { key, row = {}, deleted = false } = JSON.parse(text);
      return [key.id, { values: row, deleted }];
    }),
  );
}

const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  random: fc.infiniteStream(fc.nat()),
  groupSize: fc.integer({ min: 1, max: 5 }),
});
const RUNS = { numRuns: 700 };

/** All changes in any order, some of them twice. */
function delivered(changes: readonly Change[], random: fc.Stream<number>): readonly Change[] {
  const next = () => random.next().value ?? 0;
  return [...changes, ...changes.filter(() => next() % 3 === 0)]
    .map((change) => ({ change, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ change }) => change);
}

for (const deletes of ['tombstone', 'soft', 'ignore'] as const) {
  for (const updates of ['merge', 'replace'] as const) {
    test(`deletes ${deletes}, updates ${updates}: any order gives what the log gives`, () => {
      const rules = rulesFor(purchases, { deletes, updates });
      fc.assert(
        fc.property(scenario, ({ steps, random, groupSize }) => {
          const model = new Model(deletes, updates === 'replace');
          for (const one of steps) model.do(one);
          const replica = replicaOf(delivered(model.changes, random), () => rules, groupSize);
          assert.deepEqual(replica, model.replica);
        }),
        RUNS,
      );
    });
  }
}

test('a choice that changes in mid-stream changes nothing of live rows, nor which rows are live', () => {
  const either = [rulesFor(purchases), rulesFor(purchases, { deletes: 'soft' })];
  fc.assert(
    fc.property(scenario, fc.array(fc.nat(1), { minLength: 1 }), ({ steps, random, groupSize }, picks) => {
      const model = new Model('tombstone', false);
      for (const one of steps) model.do(one);
      const rulesOf = (index: number) => either[picks[index % picks.length] ?? 0] ?? rulesFor(purchases);
      const replica = replicaOf(delivered(model.changes, random), rulesOf, groupSize);
      assert.deepEqual([...replica.keys()].sort(), [...model.replica.keys()].sort());
      for (const [key, row] of model.replica) {
        if (row.deleted) assert.equal(replica.get(key)?.deleted, true);
        else assert.deepEqual(replica.get(key), row);
      }
    }),
    RUNS,
  );
});

describe('soft deletes', () => {
  const soft = rulesFor(purchases, { deletes: 'soft' });
  const remove = changeOf({ operation: 'DEL', n: 5, old: [['id', '7']] });

  test('tell the old values, and are no image', () => {
    const [row] = rowChanges({ ...remove, old: { id: '7', a: 'x' } }, soft).rows;
    assert.equal(row?.state.image, null);
    assert.deepEqual(
      [...(row?.state.cells ?? [])].map(([name, { value }]) => [name, value]),
      [
        ['id', 7],
        ['a', 'x'],
      ],
    );
  });

  // What a delete tells is what was: a write of the same version is what is.
  test('lose against a write of the same version', () => {
    const write = changeOf({
      operation: 'UPD',
      n: 5,
      current: [
        ['id', '7'],
        ['a', 'a'],
      ],
    });
    const old = { ...remove, old: { id: '7', a: 'z' } };
    for (const changes of [
      [old, write],
      [write, old],
    ])
      assert.deepEqual(
        replicaOf(changes, () => soft, 1),
        new Map([[7, { values: { id: 7, a: 'a' }, deleted: false }]]),
      );
  });

  test('of a row of which nothing else is known leave a tombstone', () => {
    const [row] = rowChanges({ ...remove, old: null }, soft).rows;
    assert.ok(row);
    const item = toReplicaItem(row.id, purchases, row.state, 9);
    assert.deepEqual([item.deleted, item.ttl, item.row], [true, 9, undefined]);
  });
});

test('an ignored delete needs no key', () => {
  const keyless = changeOf({ operation: 'DEL', key: [], old: [['a', 'x']] });
  assert.deepEqual(rowChanges(keyless, rulesFor(purchases, { deletes: 'ignore' })).rows, []);
});

// A row of which the configuration keeps no column is not a deleted row.
test('a row of which no column is kept is live', () => {
  const insert = changeOf({ operation: 'INS', current: [['a', 'x']] });
  const plain = rulesFor(purchases);
  const rules: TableRules = {
    ...plain,
    columnRule: (column, type) => ({
      ...plain.columnRule(column, type),
      presence: column === 'id' ? 'kept' : 'excluded',
    }),
  };
  const [row] = rowChanges(insert, rules).rows;
  assert.ok(row);
  const item = toReplicaItem(row.id, purchases, row.state, 9);
  assert.deepEqual([item.deleted, item.ttl, item.row], [undefined, undefined, {}]);
  assert.deepEqual(fromReplicaItem(JSON.parse(JSON.stringify(item))), row.state);
});
