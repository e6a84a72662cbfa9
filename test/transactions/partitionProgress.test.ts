import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lsnOf, parseCommit } from '../../src/transactions/commit.ts';
import {
  fromPartitionItem,
  joinStreams,
  noProgress,
  type PartitionProgress,
  type Streams,
  strayKey,
  streamKey,
  streamsIn,
  toPartitionItem,
} from '../../src/transactions/partitionProgress.ts';
import { commitAt } from '../support/commitAt.ts';

const commit = fc.nat(20).map((lsn) => commitAt(lsn));
const progress: fc.Arbitrary<PartitionProgress> = fc
  .dictionary(
    fc.constantFrom('g1', 'g2', 'g3'),
    fc.record({ db: fc.constantFrom('a', 'b'), commit, arrived: fc.nat(50) }, { noNullPrototype: true }),
  )
  .map((streams) => ({ ...noProgress, streams: new Map(Object.entries(streams)) }));

const plain = (streams: Streams): unknown => [...streams].sort(([a], [b]) => (a < b ? -1 : 1));

test('join is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(progress, progress, progress, ({ streams: a }, { streams: b }, { streams: c }) => {
      assert.deepEqual(plain(joinStreams(a, b)), plain(joinStreams(b, a)));
      assert.deepEqual(plain(joinStreams(joinStreams(a, b), c)), plain(joinStreams(a, joinStreams(b, c))));
      assert.deepEqual(plain(joinStreams(a, a)), plain(a));
    }),
  );
});

test('it is read back, mark and strays included', () => {
  fc.assert(
    fc.property(progress, commit, (known, lowest) => {
      const failing = { id: 'mark', at: 5, holds: [{ db: 'a', commit: lowest }, {}] };
      const stray = { stream: 'g', lsn: lsnOf(lowest), number: 1, reason: 'no-key', time: null };
      const strays = new Map([[strayKey(stray), stray]]);
      const item = toPartitionItem('partition-3', { ...known, failing, strays });
      const read = fromPartitionItem(JSON.parse(JSON.stringify(item)));
      assert.deepEqual(read, { ...known, failing, strays });
    }),
  );
  assert.deepEqual(fromPartitionItem(undefined), noProgress);
});

test('a stream has all its databases, each with its newest epoch: an older one hid what is parked', () => {
  const at = (db: string, text: string): PartitionProgress => {
    const commit = parseCommit(text);
    assert.ok(commit !== undefined);
    return { ...noProgress, streams: new Map([[streamKey('g', db), { db, commit, arrived: 0 }]]) };
  };
  const partitions = [
    at('a', `0001:${'0'.repeat(19)}1`),
    at('b', `0000:${'0'.repeat(19)}5`),
    // Silent since the epoch was raised.
    at('a', `0000:${'0'.repeat(19)}9`),
  ];
  assert.deepEqual(streamsIn(partitions).get('g'), [
    { db: 'a', epoch: 1 },
    { db: 'b', epoch: 0 },
  ]);
});
