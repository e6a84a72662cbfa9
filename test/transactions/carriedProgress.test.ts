import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Carried,
  fromStoredCarried,
  joinCarried,
  sizeOf,
  toStoredCarried,
  withCarried,
} from '../../src/transactions/carriedProgress.ts';
import { noProgress } from '../../src/transactions/partitionProgress.ts';
import { commitAt } from '../support/commitAt.ts';

const streams = fc
  .dictionary(
    fc.constantFrom('g1/a', 'g2/a'),
    fc.record(
      { db: fc.constant('a'), commit: fc.nat(20).map((n) => commitAt(n)), arrived: fc.nat(50) },
      { noNullPrototype: true },
    ),
  )
  .map((one) => new Map(Object.entries(one)));
const settles = fc
  .dictionary(fc.constantFrom('m1', 'm2', 'm3'), fc.nat(50), { noNullPrototype: true })
  .map((one) => new Map(Object.entries(one)));
const carried: fc.Arbitrary<Carried> = fc
  .dictionary(fc.constantFrom('0', '1', 'elsewhere'), fc.record({ streams, settles }))
  .map((one) => new Map(Object.entries(one)));

const plain = (all: Carried): unknown =>
  [...all]
    .map(([partition, one]) => [partition, [...one.streams].sort(), [...one.settles].sort()])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));

test('join is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(carried, carried, carried, (a, b, c) => {
      assert.deepEqual(plain(joinCarried([a, b])), plain(joinCarried([b, a])));
      const all = plain(joinCarried([a, b, c]));
      assert.deepEqual(plain(joinCarried([joinCarried([a, b]), c])), all);
      assert.deepEqual(plain(joinCarried([a, joinCarried([b, c])])), all);
      assert.deepEqual(plain(joinCarried([a, a])), plain(a));
      assert.deepEqual(plain(joinCarried([])), []);
    }),
  );
});

test('it is read back', () => {
  fc.assert(
    fc.property(carried, (one) => {
      const read = fromStoredCarried(JSON.parse(JSON.stringify(toStoredCarried(one))));
      assert.deepEqual(plain(read), plain(one));
    }),
  );
});

test('a partition with it is as far as one that was told all of it, in whatever order', () => {
  fc.assert(
    fc.property(carried, carried, (a, b) => {
      const failing = { id: 'm1', at: 5, holds: [] };
      for (const partition of ['0', '1', 'elsewhere']) {
        const [one, other] = [a.get(partition), b.get(partition)];
        const both = joinCarried([a, b]).get(partition);
        if (one === undefined || other === undefined || both === undefined) continue;
        const known = { ...noProgress, failing };
        const told = withCarried(withCarried(known, one), other);
        assert.equal(told.failing, withCarried(known, both).failing);
        assert.equal(told.recovered, withCarried(known, both).recovered);
        assert.deepEqual([...told.streams].sort(), [...withCarried(known, both).streams].sort());
      }
    }),
  );
});

test('only the mark that was seen is settled', () => {
  const known = { ...noProgress, failing: { id: 'm2', at: 5, holds: [] } };
  const settling = (...marks: readonly string[]) => ({
    streams: new Map(),
    settles: new Map(marks.map((mark) => [mark, 7])),
  });
  assert.equal(withCarried(known, settling('m1')).failing?.id, 'm2');
  assert.equal(withCarried(known, settling()).failing?.id, 'm2');
  assert.equal(withCarried(known, settling('m1', 'm2')).failing, undefined);
});

test('its size is that of all partitions together, marks included: they were without bound', () => {
  const progress = { db: 'a', commit: commitAt(1), arrived: 0 };
  const streams = new Map([
    ['g1/a', progress],
    ['g2/a', progress],
  ]);
  const one = { streams, settles: new Map([['m1', 5]]) };
  assert.equal(
    sizeOf(
      new Map([
        ['0', one],
        ['1', one],
      ]),
    ),
    6,
  );
});
