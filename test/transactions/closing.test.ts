import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FAILING_MARK_MS, STREAM_QUIET_MS } from '../../src/limits.ts';
import { closingIn, type Horizon, type OpenTransaction } from '../../src/transactions/closing.ts';
import type { Commit } from '../../src/transactions/commit.ts';
import { noProgress, type PartitionProgress } from '../../src/transactions/partitionProgress.ts';
import { commitAt } from '../support/commitAt.ts';

const IDLE_MS = 1_000;
const NOW = 10 * STREAM_QUIET_MS;

const at = (lsn: number): Commit => commitAt(lsn);

/** A partition that has come to commit `n` of a stream, so many milliseconds ago. */
function reached(n: number, ago = 0, stream = 'group'): PartitionProgress {
  return { ...noProgress, streams: new Map([[stream, { db: 'shop', commit: at(n), arrived: NOW - ago }]]) };
}

const horizon = (...partitions: readonly PartitionProgress[]): Horizon => ({
  partitions,
  idleMs: IDLE_MS,
  now: NOW,
  silentSince: 0,
});
/** Transaction 5, seen so many milliseconds ago. */
const transaction = (ago = 0) => ({ db: 'shop', commit: at(5), firstSeen: NOW - ago });

function closedBy({ db, ...one }: OpenTransaction & { readonly db: string }, all: Horizon) {
  return closingIn(db, all)(one);
}

describe('a transaction is over', () => {
  test('when every partition has moved past it', () => {
    assert.equal(closedBy(transaction(), horizon(reached(6), reached(9))), 'position');
  });
  test('not while a partition may have more of it', () => {
    assert.equal(closedBy(transaction(IDLE_MS), horizon(reached(6), reached(5))), undefined);
    assert.equal(closedBy(transaction(IDLE_MS), horizon(reached(6), reached(4))), undefined);
  });
  test('when the partitions that have not moved past it are silent', () => {
    assert.equal(closedBy(transaction(IDLE_MS), horizon(reached(6), reached(5, IDLE_MS))), 'idle');
    assert.equal(closedBy(transaction(IDLE_MS), horizon(reached(6), noProgress)), 'idle');
  });
  test('not before the silence has lasted, counted from its first change', () => {
    assert.equal(closedBy(transaction(IDLE_MS - 1), horizon(reached(6), noProgress)), undefined);
    assert.equal(closedBy(transaction(5 * IDLE_MS), horizon(reached(6), reached(4, IDLE_MS - 1))), undefined);
  });
  test('not before the silence has lasted since an outage', () => {
    const after = (ago: number) => ({
      ...horizon(reached(6), reached(4, 5 * IDLE_MS)),
      silentSince: NOW - ago,
    });
    assert.equal(closedBy(transaction(5 * IDLE_MS), after(IDLE_MS - 1)), undefined);
    assert.equal(closedBy(transaction(5 * IDLE_MS), after(IDLE_MS)), 'idle');
  });
  test('even when no partition was told', () => {
    assert.equal(closedBy(transaction(IDLE_MS), horizon(noProgress)), 'idle');
    assert.equal(closedBy(transaction(IDLE_MS - 1), horizon(noProgress)), undefined);
  });
});

test('it is the same however many partitions and streams there are', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          a: fc.option(fc.record({ n: fc.nat(10), ago: fc.nat(2 * IDLE_MS) })),
          b: fc.option(fc.record({ n: fc.nat(10), ago: fc.nat(2 * IDLE_MS) })),
          recovered: fc.nat(2 * IDLE_MS).map((ago) => NOW - ago),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      fc.nat(10),
      fc.nat(2 * IDLE_MS),
      (made, n, ago) => {
        const partitions = made.map(({ a, b, recovered }) => ({
          ...noProgress,
          recovered,
          streams: new Map([
            ...(a === null ? [] : reached(a.n, a.ago, 'a').streams),
            ...(b === null ? [] : reached(b.n, b.ago, 'b').streams),
          ]),
        }));
        const used = ['a', 'b'].filter((stream) => partitions.some(({ streams }) => streams.has(stream)));
        const waits = used.flatMap((stream) =>
          partitions.flatMap(({ streams, recovered }) => {
            const { commit, arrived } = streams.get(stream) ?? { commit: '', arrived: 0 };
            return commit > at(n) ? [] : [Math.max(arrived, recovered, NOW - ago)];
          }),
        );
        const isSilent = waits.every((arrived) => NOW - arrived >= IDLE_MS);
        const expected = waits.length === 0 ? 'position' : isSilent ? 'idle' : undefined;
        fc.pre(used.length > 0);
        const transaction = { db: 'shop', commit: at(n), firstSeen: NOW - ago };
        assert.equal(closedBy(transaction, horizon(...partitions)), expected);
      },
    ),
  );
});

describe('other streams', () => {
  test('of the same database are waited for', () => {
    const both = (n: number, ago = 0): PartitionProgress => ({
      ...noProgress,
      streams: new Map([...reached(9).streams, ...reached(n, ago, 'other').streams]),
    });
    assert.equal(closedBy(transaction(IDLE_MS), horizon(both(4))), undefined);
    assert.equal(closedBy(transaction(IDLE_MS), horizon(both(6))), 'position');
    // A stream group that was created anew leaves the old one behind.
    assert.equal(closedBy(transaction(), horizon(both(4, STREAM_QUIET_MS))), 'position');
  });
  test('of another database do not matter', () => {
    assert.equal(closedBy({ ...transaction(IDLE_MS), db: 'bank' }, horizon(reached(9))), 'idle');
  });
});

describe('a batch that fails', () => {
  const failing = (commit: Commit | undefined, ago = 0, db?: string): PartitionProgress => ({
    ...reached(9),
    failing: {
      id: 'mark',
      at: NOW - ago,
      holds: [{ ...(db !== undefined && { db }), ...(commit && { commit }) }],
    },
  });
  test('holds what it holds, and what comes after', () => {
    assert.equal(closedBy(transaction(), horizon(failing(at(5), 0, 'shop'))), undefined);
    assert.equal(closedBy(transaction(), horizon(failing(at(6), 0, 'shop'))), 'position');
    assert.equal(closedBy(transaction(), horizon(failing(at(1), 0, 'bank'))), 'position');
  });
  test('was not silence: what waited behind it is still to come when it goes well', () => {
    const recovered = (ago: number): PartitionProgress => ({
      ...reached(4, 2 * IDLE_MS),
      recovered: NOW - ago,
    });
    const one = transaction(2 * IDLE_MS);
    assert.equal(closedBy(one, horizon(reached(9), recovered(IDLE_MS - 1))), undefined);
    assert.equal(closedBy(one, horizon(reached(9), recovered(IDLE_MS))), 'idle');
    // Nothing of the stream has ever come there.
    const none = { ...noProgress, recovered: NOW - IDLE_MS + 1 };
    assert.equal(closedBy(one, horizon(reached(9), none)), undefined);
  });
  test('holds everything when its stream is unknown', () => {
    assert.equal(closedBy(transaction(), horizon(failing(undefined))), undefined);
  });
  test('holds nothing for ever: whoever left the mark may be gone', () => {
    assert.equal(closedBy(transaction(), horizon(failing(at(5), FAILING_MARK_MS, 'shop'))), 'position');
  });
});
