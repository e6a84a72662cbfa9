import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_ITEM_BYTES } from '../../src/limits.ts';
import { fold } from '../../src/replica/fold.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import type { StoreOutcome } from '../../src/replica/replicaStore.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import {
  firstStep,
  isResult,
  nextStep,
  type OpenStep,
  type Row,
  type RowStep,
} from '../../src/replica/rowStep.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { purchases } from './changeOf.ts';
import { type Step, stateOf } from './rowHistory.ts';

const TTL_S = 60;
const id = 'db1.dbo.Purchases:7' as Row['id'];

const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });
const rules = rulesFor(purchases, { largeValues: 'dead-letter' });
const rowOf = (...changes: RowState[]): Row => ({ id, rules, changes });

const insert = change(3, 'INS', { a: 3 });
const update = change(4, 'UPD', { a: 4 });
const row = rowOf(insert, update);

/** A read that found the item of these changes. */
function found(...changes: RowState[]): StoreOutcome {
  const stored: unknown = JSON.parse(
    JSON.stringify(toReplicaItem(id, purchases, fold(null, changes).state, TTL_S)),
  );
  return { kind: 'ok', stored, etag: '"e1"' };
}

/** What is worth asserting of a step: everything but the item, of which the row is enough. */
function summaryOf(step: RowStep): object {
  switch (step.kind) {
    case 'read':
      return { kind: 'read', attempted: step.attempted };
    case 'create':
    case 'replace': {
      const { kind, item, bytes, applied, attempted } = step;
      assert.equal(bytes, Buffer.byteLength(JSON.stringify(item)));
      assert.equal(item.id, id);
      const write = { kind, row: item.row, applied, attempted };
      return step.kind === 'replace' ? { ...write, etag: step.etag } : write;
    }
    case 'done':
    case 'withheld':
      return step;
    case 'rejected':
      return { kind: 'rejected', code: step.error.code };
    default:
      return step satisfies never;
  }
}

const none = [false, false];
const all = [true, true];
const read: OpenStep = { kind: 'read', attempted: none };
const create: OpenStep = {
  kind: 'create',
  item: toReplicaItem(id, purchases, insert, TTL_S),
  bytes: 1,
  values: [],
  applied: all,
  attempted: none,
};
const replace: OpenStep = { ...create, kind: 'replace', etag: '"e0"', applied: [false, true] };

const throttled: StoreOutcome = { kind: 'throttled', retryAfterMs: 10 };
const unknown: StoreOutcome = { kind: 'unknown', reason: 'connection lost' };
const refused: StoreOutcome = { kind: 'refused', reason: 'Cosmos DB answered 400' };

const createBoth = { kind: 'create', row: { a: 4 }, applied: all, attempted: none };
const rejected = { kind: 'rejected', code: 'refused-by-cosmos' };
const readAgain = { kind: 'read', attempted: none };

/** Every step with every outcome; a new step or outcome does not compile until it is here. */
const table: Record<
  OpenStep['kind'],
  Record<StoreOutcome['kind'], readonly [OpenStep, StoreOutcome, object]>
> = {
  read: {
    ok: [
      read,
      found(change(1, 'INS', { a: 1, b: 1 })),
      { kind: 'replace', row: { a: 4 }, applied: all, attempted: none, etag: '"e1"' },
    ],
    missing: [read, { kind: 'missing' }, createBoth],
    outrun: [read, { kind: 'outrun' }, readAgain],
    deferred: [read, { kind: 'deferred' }, read],
    throttled: [read, throttled, read],
    unknown: [read, unknown, read],
    refused: [read, refused, rejected],
  },
  create: {
    ok: [create, { kind: 'ok', etag: '"e1"' }, { kind: 'done', applied: all }],
    missing: [create, { kind: 'missing' }, readAgain],
    outrun: [create, { kind: 'outrun' }, readAgain],
    deferred: [create, { kind: 'deferred' }, create],
    throttled: [create, throttled, create],
    unknown: [create, unknown, { kind: 'read', attempted: all }],
    refused: [create, refused, rejected],
  },
  replace: {
    ok: [replace, { kind: 'ok', etag: '"e1"' }, { kind: 'done', applied: [false, true] }],
    missing: [replace, { kind: 'missing' }, readAgain],
    outrun: [replace, { kind: 'outrun' }, readAgain],
    deferred: [replace, { kind: 'deferred' }, replace],
    throttled: [replace, throttled, replace],
    unknown: [replace, unknown, { kind: 'read', attempted: [false, true] }],
    refused: [replace, refused, rejected],
  },
};

describe('a row that may not be created', () => {
  const nothing: StoreOutcome = { kind: 'missing' };

  test('is read first, even when it was inserted', () => {
    assert.deepEqual(firstStep(row, TTL_S, false), read);
  });

  test('is withheld when nothing is stored, and stays so after a write that was outrun or has no known end', () => {
    assert.deepEqual(nextStep(row, read, nothing, TTL_S, false), { kind: 'withheld' });
    for (const trouble of ['outrun', 'missing', 'unknown'] as const) {
      const outcome: StoreOutcome = trouble === 'unknown' ? unknown : { kind: trouble };
      const again = nextStep(row, replace, outcome, TTL_S, false);
      assert.equal(again.kind, 'read');
      assert.ok(!isResult(again));
      assert.deepEqual(nextStep(row, again, nothing, TTL_S, false), { kind: 'withheld' });
    }
  });

  test('joins what is stored', () => {
    const joined = nextStep(row, read, found(change(2, 'INS', { a: 2, b: 2 })), TTL_S, false);
    assert.deepEqual(summaryOf(joined), {
      kind: 'replace',
      row: { a: 4 },
      applied: all,
      attempted: none,
      etag: '"e1"',
    });
  });
});

describe('the step after', () => {
  for (const [kind, outcomes] of Object.entries(table)) {
    for (const [outcome, [step, given, expected]] of Object.entries(outcomes)) {
      test(`${kind}, ${outcome}`, () => {
        assert.equal(step.kind, kind);
        assert.equal(given.kind, outcome);
        const next = nextStep(row, step, given, TTL_S);
        if (expected === step) assert.equal(next, step);
        else assert.deepEqual(summaryOf(next), expected);
      });
    }
  }
});

describe('a read that found', () => {
  const after = (outcome: StoreOutcome, one = row) =>
    summaryOf(nextStep(one, { kind: 'read', attempted: one.changes.map(() => false) }, outcome, TTL_S));

  test('all of it already: nothing is written and nothing was applied', () => {
    assert.deepEqual(after(found(insert, update)), { kind: 'done', applied: none, before: update.newest });
    const deleted = change(9, 'DEL');
    assert.deepEqual(after(found(deleted)), { kind: 'done', applied: none, before: deleted.newest });
  });

  test('something older: the end tells what was there first, whatever comes in between', () => {
    const first = nextStep(row, read, found(insert), TTL_S);
    assert.equal(first.kind, 'replace');
    const again = first.kind === 'replace' && nextStep(row, first, { kind: 'outrun' }, TTL_S);
    assert.ok(again && again.kind === 'read');
    const last = nextStep(row, again, found(change(9, 'DEL')), TTL_S);
    assert.deepEqual(last, { kind: 'done', applied: none, before: insert.newest });
  });

  test('what may be the own write of the batch is not taken for what was there before', () => {
    const attempted: OpenStep = { kind: 'read', attempted: all };
    const last = nextStep(row, attempted, found(insert, update), TTL_S);
    assert.deepEqual(last, { kind: 'done', applied: all });
  });

  test('a part of it: the rest is written', () => {
    assert.deepEqual(after(found(insert)), {
      kind: 'replace',
      row: { a: 4 },
      applied: [false, true],
      attempted: none,
      etag: '"e1"',
    });
  });

  test('a newer column: the other columns are written beside it', () => {
    const older = rowOf(change(2, 'UPD', { a: 2, b: 2 }));
    assert.deepEqual(after(found(change(1, 'INS', { a: 1, b: 1 }), change(5, 'UPD', { a: 5 })), older), {
      kind: 'replace',
      row: { a: 5, b: 2 },
      applied: [true],
      attempted: [false],
      etag: '"e1"',
    });
  });

  test('an item of someone else: it is not overwritten', () => {
    for (const stored of [undefined, null, {}, { id, pkkey: id, name: 'theirs' }]) {
      assert.deepEqual(after({ kind: 'ok', stored, etag: '"e1"' }), {
        kind: 'rejected',
        code: 'foreign-item',
      });
    }
  });
});

describe('a write of unknown outcome', () => {
  const attempted = [true, false];

  test('that turns out to have been done counts as applied', () => {
    const next = nextStep(row, { kind: 'read', attempted }, found(insert, update), TTL_S);
    assert.deepEqual(next, { kind: 'done', applied: [true, false] });
  });

  test('is remembered through further outcomes until the row is done', () => {
    let step: RowStep = { kind: 'read', attempted };
    for (const outcome of [throttled, unknown, { kind: 'outrun' } as const, found(insert)]) {
      assert.ok(step.kind === 'read');
      step = nextStep(row, step, outcome, TTL_S);
    }
    assert.ok(step.kind === 'replace');
    assert.deepEqual(step.attempted, attempted);
    assert.deepEqual(nextStep(row, step, { kind: 'ok' }, TTL_S), { kind: 'done', applied: all });
    assert.deepEqual(summaryOf(nextStep(row, step, { kind: 'outrun' }, TTL_S)), { kind: 'read', attempted });
    assert.deepEqual(summaryOf(nextStep(row, step, unknown, TTL_S)), { kind: 'read', attempted: all });
  });
});

describe('the first step', () => {
  test('of an insert is a create, with all changes of the row in it', () => {
    assert.deepEqual(summaryOf(firstStep(row, TTL_S)), createBoth);
    assert.equal(firstStep(rowOf(update, insert, change(5, 'DEL')), TTL_S).kind, 'create');
  });

  test('of anything else is a read', () => {
    assert.deepEqual(firstStep(rowOf(update), TTL_S), { kind: 'read', attempted: [false] });
    assert.deepEqual(firstStep(rowOf(update, change(5, 'DEL')), TTL_S), { kind: 'read', attempted: none });
  });

  test('of an insert that no item can hold is its end', () => {
    const large = (bytes: number) => rowOf(change(1, 'INS', { a: 'x'.repeat(bytes) }));
    assert.deepEqual(summaryOf(firstStep(large(MAX_ITEM_BYTES), TTL_S)), {
      kind: 'rejected',
      code: 'item-too-large',
    });
    assert.equal(firstStep(large(MAX_ITEM_BYTES - 1_000), TTL_S).kind, 'create');
  });

  test('counts bytes, not characters', () => {
    const wide = rowOf(change(1, 'INS', { a: '€'.repeat(MAX_ITEM_BYTES / 3) }));
    assert.deepEqual(summaryOf(firstStep(wide, TTL_S)), { kind: 'rejected', code: 'item-too-large' });
  });
});
