import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { LARGE_VALUE_AGE_SECONDS } from '../../src/limits.ts';
import { applyRows, type RowStores } from '../../src/replica/applyRows.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { isReference } from '../../src/replica/largeValue.ts';
import { LARGE_VALUE_SLICES } from '../../src/replica/largeValueName.ts';
import type { LargeValues } from '../../src/replica/largeValues.ts';
import type { ReplicaStore } from '../../src/replica/replicaStore.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import type { Row } from '../../src/replica/rowStep.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { type LargeValueReport, sliceAt, sweepLargeValues } from '../../src/sweep/sweepLargeValues.ts';
import { purchases } from '../replica/changeOf.ts';
import { type Step, stateOf } from '../replica/rowHistory.ts';
import { MemoryLargeValues } from '../support/memoryLargeValues.ts';
import { MemoryStore } from '../support/memoryStore.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { testSettings } from '../support/testServices.ts';

const ITEM_BYTES = 2_000;
const TTL_S = 60;
const LARGE = 'x'.repeat(ITEM_BYTES);
const OLD = LARGE_VALUE_AGE_SECONDS + 1;

const change = (n: number, operation: Step['operation'], columns: object = {}): RowState =>
  stateOf({ n, operation, columns: new Map(Object.entries(columns)), whole: false });
const idOf = (key: number) => documentId(purchases, [String(key)]);
const rowOf = (key: number, ...changes: RowState[]): Row => ({
  id: idOf(key),
  rules: rulesFor(purchases, { itemBytes: ITEM_BYTES }),
  changes,
});
const settings = { ...testSettings, rules: new RuleBook() };

class Stores implements RowStores {
  readonly store = new MemoryStore();
  readonly largeValues = new MemoryLargeValues();

  async apply(...rows: Row[]): Promise<void> {
    await applyRows(rows, this, new PatientDeadline(), TTL_S);
  }

  /** Sweeps every slice once. */
  async sweep(deadline: Deadline = new PatientDeadline()): Promise<LargeValueReport> {
    const total = { found: 0, rows: 0, removed: 0, unanswered: 0, finished: true };
    for (let slice = 0; slice < LARGE_VALUE_SLICES; slice += 1) {
      const { finished, ...counts } = await sweepLargeValues({ ...this, settings }, slice, deadline);
      for (const name of ['found', 'rows', 'removed', 'unanswered'] as const) total[name] += counts[name];
      total.finished &&= finished;
    }
    return total;
  }
}

/** Names that items refer to, sorted. */
function used({ store }: { readonly store: MemoryStore }): string[] {
  return store
    .items()
    .flatMap(({ row = {} }) =>
      Object.values(row).flatMap((value) => (isReference(value) ? [value.$blob] : [])),
    )
    .sort();
}

describe('a sweep of large values', () => {
  test('removes what was replaced, deleted, expired, or left by a crash, and nothing else', async () => {
    const stores = new Stores();
    const keys = Array.from({ length: 30 }, (_, key) => key);
    await stores.apply(...keys.map((key) => rowOf(key, change(1, 'INS', { a: LARGE, b: `${LARGE}b`, key }))));
    await stores.apply(
      ...keys.filter((key) => key % 3 === 0).map((key) => rowOf(key, change(2, 'UPD', { a: `${LARGE}2` }))),
      ...keys.filter((key) => key % 3 === 1).map((key) => rowOf(key, change(2, 'DEL'))),
    );
    stores.store.remove(idOf(1));
    const crashed = { name: 'rows/00/t/r/v/s', id: idOf(99), text: LARGE };
    await stores.largeValues.create(crashed);
    assert.equal(stores.largeValues.names().length, 71);

    stores.largeValues.now += LARGE_VALUE_AGE_SECONDS;
    const young = await stores.sweep();
    assert.deepEqual(young, { found: 71, rows: 0, removed: 0, unanswered: 0, finished: true });

    stores.largeValues.now += 1;
    const { received } = stores.store;
    const before = received.read;
    const swept = await stores.sweep();
    assert.deepEqual(swept, { found: 71, rows: 31, removed: 31, unanswered: 0, finished: true });
    assert.equal(received.read - before, 31);
    assert.equal(used(stores).length, 40);
    assert.deepEqual(stores.largeValues.names(), used(stores));
    assert.equal((await stores.sweep()).removed, 0);
  });

  test('leaves alone what Cosmos DB does not tell of, and the items of others', async () => {
    const stores = new Stores();
    await stores.apply(rowOf(1, change(1, 'INS', { a: LARGE })), rowOf(2, change(1, 'INS', { a: LARGE })));
    await stores.apply(rowOf(1, change(2, 'DEL')));
    stores.store.put(idOf(2), { id: idOf(2), theirs: true });
    stores.largeValues.now += OLD;
    stores.store.fault = () => ({ outcome: { kind: 'throttled', retryAfterMs: 1 }, done: false });
    assert.deepEqual(await stores.sweep(), { found: 2, rows: 2, removed: 0, unanswered: 2, finished: true });
    stores.store.fault = () => undefined;
    assert.deepEqual(await stores.sweep(), { found: 2, rows: 2, removed: 1, unanswered: 0, finished: true });
  });

  test('asks again for items that did not fit into a response', async () => {
    const stores = new Stores();
    // All in one slice.
    const values = Array.from({ length: 250 }, (_, key) => ({
      name: `rows/00/t/${String(key).padStart(3, '0')}/v/s`,
      id: idOf(key),
      text: LARGE,
    }));
    for (const value of values) await stores.largeValues.create(value);
    stores.largeValues.now += OLD;
    let reads = 0;
    stores.store.fault = () => {
      reads += 1;
      return reads % 3 === 0 ? undefined : { outcome: { kind: 'deferred' }, done: false };
    };
    const { found, rows, removed, unanswered } = await stores.sweep();
    assert.deepEqual([found, rows, removed + unanswered], [250, 250, 250]);
    // What is left when nothing of the last request was answered waits for the next sweep.
    assert.ok(unanswered < 6, `${unanswered}`);
    assert.equal(stores.largeValues.names().length, unanswered);
  });

  test('looks into every container of the configuration', async () => {
    const rules = new RuleBook({ tables: { 'db1.dbo.Purchases': { container: 'other' } } });
    const stores = new Stores();
    await stores.largeValues.create({ name: 'other/00/t/r/v/s', id: idOf(1), text: LARGE });
    stores.largeValues.now += OLD;
    const containers: (string | undefined)[] = [];
    stores.store.fault = ({ container }) => {
      containers.push(container);
      return undefined;
    };
    const { removed } = await sweepLargeValues(
      { ...stores, settings: { ...settings, rules } },
      0,
      new PatientDeadline(),
    );
    assert.deepEqual([removed, containers], [1, ['other']]);
  });

  test('stops when its time is over, and says so', async () => {
    const stores = new Stores();
    await stores.largeValues.create({ name: 'rows/00/t/r/v/s', id: idOf(1), text: LARGE });
    stores.largeValues.now += OLD;
    const deadline = new Deadline(60);
    deadline.end();
    const report = await sweepLargeValues({ ...stores, settings }, 0, deadline);
    assert.deepEqual([report.removed, report.finished], [0, false]);
    assert.equal(stores.largeValues.names().length, 1);
  });

  test('takes the next slice each time, and all of them within a day', () => {
    const everyMs = 5 * 60 * 1000;
    const start = Date.UTC(2026, 7, 7);
    const slices = Array.from({ length: 288 }, (_, run) => sliceAt(new Date(start + run * everyMs), everyMs));
    assert.equal(new Set(slices).size, LARGE_VALUE_SLICES);
    assert.ok(slices.every((slice) => slice >= 0 && slice < LARGE_VALUE_SLICES));
  });
});

/** Longest that a batch takes, in seconds: the highest BATCH_DEADLINE_SECONDS and a request that is under way then. */
const BATCH_SECONDS = 3_600 + 60;

describe('a sweep beside a batch that refers to a value that nothing referred to for long', () => {
  /**
   * A batch was cut short between value and item, a day ago or less. It comes again while a sweep runs: at every
   * call of either, time passes and the other may go first. @returns whether the item's values are all there.
   */
  async function race(
    ageAtStart: number,
    scheduler: fc.Scheduler,
    steps: readonly number[],
    wrap: (largeValues: LargeValues) => LargeValues,
  ): Promise<boolean> {
    const stores = new Stores();
    const { store, largeValues } = stores;
    const row = rowOf(1, change(1, 'INS', { a: LARGE }));
    await stores.apply(row);
    store.remove(idOf(1));
    largeValues.now += ageAtStart;

    const left = [...steps];
    const pass = (limit: number): void => {
      largeValues.now = Math.min(largeValues.now + (left.shift() ?? 0), limit);
    };
    const end = largeValues.now + BATCH_SECONDS;
    // Time passes freely before and after the batch, but the batch is given up at its deadline.
    const turn = async (who: string): Promise<void> => {
      await scheduler.schedule(Promise.resolve(), who);
      pass(batchUnderWay ? end : Number.POSITIVE_INFINITY);
    };
    let batchUnderWay = true;
    const of = (who: string, values: LargeValues): { store: ReplicaStore; largeValues: LargeValues } => ({
      store: {
        execute: async (operations) => {
          await turn(who);
          return store.execute(operations);
        },
      },
      largeValues: gated(values, () => turn(who)),
    });
    const batch = of('batch', wrap(largeValues));
    const sweeper = of('sweep', largeValues);
    const slice = sliceOf(largeValues);
    const sweepTwice = async (): Promise<void> => {
      for (let run = 0; run < 2; run += 1)
        await sweepLargeValues({ ...sweeper, settings }, slice, new PatientDeadline());
    };
    const writing = applyRows([row], batch, new PatientDeadline(), TTL_S).finally(() => {
      batchUnderWay = false;
    });
    await scheduler.waitFor(Promise.all([writing, sweepTwice()]));
    return used(stores).every((name) => largeValues.text(name) === LARGE) && used(stores).length === 1;
  }

  const arbitraries = [
    fc.constantFrom(
      0,
      LARGE_VALUE_AGE_SECONDS / 2 - 1,
      LARGE_VALUE_AGE_SECONDS / 2,
      LARGE_VALUE_AGE_SECONDS - BATCH_SECONDS,
      LARGE_VALUE_AGE_SECONDS - 1,
      LARGE_VALUE_AGE_SECONDS + 1,
      3 * LARGE_VALUE_AGE_SECONDS,
    ),
    fc.scheduler(),
    fc.array(fc.constantFrom(0, 1, 600, BATCH_SECONDS, 2 * LARGE_VALUE_AGE_SECONDS), { maxLength: 12 }),
  ] as const;
  const property = (wrap: (largeValues: LargeValues) => LargeValues) =>
    fc.asyncProperty(...arbitraries, async (age, scheduler, steps) => {
      assert.ok(await race(age, scheduler, steps, wrap), scheduler.toString());
    });

  test('never takes a value away that the item refers to', async () => {
    await fc.assert(
      property((largeValues) => largeValues),
      { numRuns: 400 },
    );
  });

  test('would, if a batch trusted whatever it finds, or did not renew it', async () => {
    for (const part of [{ age: async () => 0 }, { renew: async () => undefined }]) {
      const careless = (largeValues: LargeValues): LargeValues => ({ ...bound(largeValues), ...part });
      const { failed } = await fc.check(property(careless), { numRuns: 1_000 });
      assert.equal(failed, true);
    }
  });
});

/** The slice of the first value. */
function sliceOf(largeValues: MemoryLargeValues): number {
  return Number.parseInt(largeValues.names()[0]?.split('/')[1] ?? '', 16);
}

function bound(values: LargeValues): LargeValues {
  return {
    create: (value, signal) => values.create(value, signal),
    age: (name, signal) => values.age(name, signal),
    renew: (value, signal) => values.renew(value, signal),
    list: (prefix, signal) => values.list(prefix, signal),
    remove: (found, signal) => values.remove(found, signal),
  };
}

/** Waits for its turn before each call. */
function gated(values: LargeValues, turn: () => Promise<void>): LargeValues {
  return {
    create: async (value, signal) => {
      await turn();
      return values.create(value, signal);
    },
    age: async (name, signal) => {
      await turn();
      return values.age(name, signal);
    },
    renew: async (value, signal) => {
      await turn();
      return values.renew(value, signal);
    },
    list: async function* (prefix, signal) {
      await turn();
      yield* values.list(prefix, signal);
    },
    remove: async (found, signal) => {
      await turn();
      return values.remove(found, signal);
    },
  };
}

test('an outage of Blob storage fails the sweep', async () => {
  const stores = new Stores();
  stores.largeValues.before = async () => {
    throw new OutageError('no storage');
  };
  await assert.rejects(stores.sweep(), OutageError);
});
