import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bug } from '../../src/errors/bug.ts';
import { Ledger } from '../../src/steps/ledger.ts';
import { hubMessages } from '../support/hubMessages.ts';

const [a, b, c, d, e, other] = hubMessages(
  ['a', 'b', 'c', 'd', 'e', 'other'].map((text) => Buffer.from(text)),
);
assert.ok(a && b && c && d && e && other);

test('every message is counted where it ended', () => {
  const ledger = new Ledger([a, b, c, d, e]);
  ledger.enter(e, 'withheld');
  ledger.enter(b, 'superseded');
  ledger.enter(a, 'applied');
  ledger.enter(d, 'deadLettered');
  ledger.enter(c, 'parked');
  assert.deepEqual(ledger.close(), {
    applied: 1,
    superseded: 1,
    excluded: 0,
    parked: 1,
    deadLettered: 1,
    withheld: 1,
  });
  assert.equal(ledger.fromEarlierBatches, 0);
});

test('messages of earlier batches are counted apart, by identity and not by content', () => {
  const ledger = new Ledger([a]);
  ledger.enter(a, 'applied');
  ledger.enter(other, 'applied');
  ledger.enter({ ...a }, 'applied');
  assert.equal(ledger.fromEarlierBatches, 2);
  assert.deepEqual(ledger.close(), {
    applied: 1,
    superseded: 0,
    excluded: 0,
    parked: 0,
    deadLettered: 0,
    withheld: 0,
  });
});

test('a message that ends twice, or not at all, is a defect', () => {
  const twice = new Ledger([a]);
  twice.enter(a, 'applied');
  assert.throws(() => twice.enter(a, 'parked'), Bug);
  assert.throws(() => new Ledger([a]).close(), Bug);
});
