import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { type Joining, joinItems, readItems } from '../../src/transactions/joinItems.ts';
import { MemoryProgress, type ProgressFault } from '../support/memoryProgress.ts';
import { PatientDeadline } from '../support/patientDeadline.ts';

/** An item that sums up numbers, each once. */
function adding(id: string, ...numbers: readonly number[]): Joining {
  return {
    id,
    pkkey: id,
    join: (stored) => {
      const known = (stored as { readonly numbers: readonly number[] } | undefined)?.numbers ?? [];
      const all = [...new Set([...known, ...numbers])].sort();
      return all.length === known.length ? undefined : { id, pkkey: id, numbers: all };
    },
  };
}

/** Answers the operations with faults, in their order. */
function faulty(...faults: readonly (ProgressFault | undefined)[]): MemoryProgress {
  const store = new MemoryProgress();
  const left = [...faults];
  store.fault = () => left.shift();
  return store;
}

const lost = { kind: 'unknown', reason: 'connection lost' } as const;

describe('joining into items', () => {
  test('costs a read and a write each, and no write where nothing is new', async () => {
    const store = new MemoryProgress();
    await joinItems([adding('a', 1), adding('b', 2)], store, new PatientDeadline(), 'test');
    assert.deepEqual(
      { ...store.received },
      { read: 2, create: 2, replace: 0, open: 0, databases: 0, unsent: 0, carrying: 0 },
    );
    await joinItems([adding('a', 1), adding('b', 3)], store, new PatientDeadline(), 'test');
    assert.deepEqual(
      { ...store.received },
      { read: 4, create: 2, replace: 1, open: 0, databases: 0, unsent: 0, carrying: 0 },
    );
    assert.deepEqual(store.item('b')?.['numbers'], [2, 3]);
  });

  test('needs no read of what was just read, unless someone else has written it', async () => {
    const store = new MemoryProgress();
    await joinItems([adding('a', 1)], store, new PatientDeadline(), 'test');
    const [known] = await readItems([{ id: 'a', pkkey: 'a' }], store, new AbortController().signal);
    assert.ok(known !== undefined && !('kind' in known));
    await joinItems([{ ...adding('a', 2), known }], store, new PatientDeadline(), 'test');
    assert.equal(store.received.read, 2);
    await joinItems([{ ...adding('a', 3), known }], store, new PatientDeadline(), 'test');
    assert.deepEqual([store.received.read, store.item('a')?.['numbers']], [3, [1, 2, 3]]);
  });

  test('someone else who writes at the same time loses nothing', async () => {
    const store = new MemoryProgress();
    await Promise.all(
      [1, 2, 3].map((n) => joinItems([adding('a', n)], store, new PatientDeadline(), 'test')),
    );
    assert.deepEqual(store.item('a')?.['numbers'], [1, 2, 3]);
  });

  test('a write whose answer is lost is looked at before it is repeated', async () => {
    for (const done of [true, false]) {
      const store = faulty(undefined, { outcome: lost, done });
      await joinItems([adding('a', 1)], store, new PatientDeadline(), 'test');
      assert.equal(store.writes, 1);
      assert.equal(store.received.read, 2);
    }
  });

  test('a throttled operation waits as long as it is told', async () => {
    const deadline = new PatientDeadline();
    const store = faulty({ outcome: { kind: 'throttled', retryAfterMs: 7_000 }, done: false });
    await joinItems([adding('a', 1)], store, deadline, 'test');
    assert.equal(store.writes, 1);
    assert.ok((deadline.waits[0] ?? 0) >= 7_000);
  });

  describe('the last that is written', () => {
    const ending = (joining: Joining): Joining => ({
      ...joining,
      joinLast: (stored) => {
        const item = joining.join(stored);
        return item === undefined ? undefined : { ...item, last: true };
      },
    });
    const items = () => [ending(adding('a', 1)), ending(adding('b', 1)), ending(adding('c', 1))];

    test('is written when all others are, whatever happens to them', async () => {
      for (const failing of ['a', 'b', 'c']) {
        const store = new MemoryProgress();
        const order: string[] = [];
        store.written = ({ id, last }) => order.push(last === true ? `${id}, last` : id);
        const faults: ProgressFault[] = [{ outcome: lost, done: false }];
        store.fault = ({ id, kind }) => (id === failing && kind === 'create' ? faults.pop() : undefined);
        const hasLast = await joinItems(items(), store, new PatientDeadline(), 'test');
        assert.ok(hasLast);
        assert.equal(order.length, 3);
        assert.match(order.at(-1) ?? '', /last/);
        assert.equal(order.filter((one) => one.includes('last')).length, 1);
      }
    });

    test('is one that learns something; where none does there is no last', async () => {
      const store = new MemoryProgress();
      await joinItems(items(), store, new PatientDeadline(), 'test');
      const { writes } = store;
      assert.equal(await joinItems(items(), store, new PatientDeadline(), 'test'), false);
      assert.equal(store.writes, writes);
      const more = [ending(adding('a', 2)), ending(adding('b', 1)), ending(adding('c', 1))];
      assert.equal(await joinItems(more, store, new PatientDeadline(), 'test'), true);
      assert.deepEqual([store.writes, store.item('a')?.['last']], [writes + 1, true]);
    });

    test('is none when someone else has told it all meanwhile', async () => {
      const store = new MemoryProgress();
      store.fault = ({ id, kind }) => {
        if (id !== 'b' || kind !== 'create') return undefined;
        store.fault = () => undefined;
        return { outcome: lost, done: true };
      };
      // The answer is lost, and the item turns out to be written: whether by this write nobody asks.
      assert.equal(await joinItems(items().slice(0, 2), store, new PatientDeadline(), 'test'), false);
      assert.deepEqual(store.item('b')?.['numbers'], [1]);
    });
  });

  test('it ends at the deadline, and says why', async () => {
    const store = new MemoryProgress();
    const deadline = new Deadline(60);
    store.fault = () => {
      deadline.end();
      return { outcome: lost, done: false };
    };
    await assert.rejects(
      joinItems([adding('a', 1)], store, deadline, 'recording'),
      (error) =>
        error instanceof OutageError && /recording: 1 of 1 items.*connection lost/.test(error.message),
    );
  });
});
