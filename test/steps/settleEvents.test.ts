import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bug } from '../../src/errors/bug.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { foldRows } from '../../src/steps/foldRows.ts';
import { settleEvents } from '../../src/steps/settleEvents.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testSettings } from '../support/testServices.ts';
import { wholeEvents } from '../support/wholeEvents.ts';

const error = new DataError('refused-by-cosmos', 'Cosmos DB answered 400');

test('an event of one row ends as its change does', () => {
  const events = wholeEvents([insertEvent(1, 1), insertEvent(1, 2), insertEvent(2, 3)]);
  const { rows } = foldRows(events, testSettings);
  const settled = settleEvents(rows, [
    { kind: 'done', applied: [false, true] },
    { kind: 'rejected', error },
  ]);
  assert.deepEqual(settled.superseded, [events[0]]);
  assert.deepEqual(settled.applied, [events[1]]);
  assert.deepEqual(settled.rejected, [{ ...events[2], error }]);
});

test('of a row whose changes were applied apart, each event ends as its own change does', () => {
  const events = wholeEvents([insertEvent(1, 1), insertEvent(1, 2), insertEvent(1, 3)]);
  const { rows } = foldRows(events, testSettings);
  const results = [
    { kind: 'done', applied: [false] },
    { kind: 'rejected', error },
    { kind: 'done', applied: [true] },
  ] as const;
  const settled = settleEvents(rows, [{ kind: 'apart', results }]);
  assert.deepEqual(settled.superseded, [events[0]]);
  assert.deepEqual(settled.rejected, [{ ...events[1], error }]);
  assert.deepEqual(settled.applied, [events[2]]);
});

test('an event of two rows is applied if one was, and rejected if one was', () => {
  const moved = insertEvent(2, 2, { operation: 'UPD', old: '{"Id":"1"}', current: '{"Id":"2"}' });
  const events = wholeEvents([moved]);
  const { rows } = foldRows(events, testSettings);
  const done = (applied: boolean) => ({ kind: 'done', applied: [applied] }) as const;
  const rejected = { kind: 'rejected', error } as const;
  const withheld = { kind: 'withheld' } as const;
  for (const [results, end] of [
    [[done(true), done(true)], 'applied'],
    [[done(false), done(true)], 'applied'],
    [[done(true), done(false)], 'applied'],
    [[done(false), done(false)], 'superseded'],
    [[done(true), rejected], 'rejected'],
    [[rejected, done(true)], 'rejected'],
    [[rejected, rejected], 'rejected'],
    [[withheld, done(true)], 'withheld'],
    [[done(false), withheld], 'withheld'],
    [[withheld, withheld], 'withheld'],
    [[rejected, withheld], 'rejected'],
    [[withheld, rejected], 'rejected'],
  ] as const) {
    const settled = settleEvents(rows, results);
    const counts = { applied: 0, superseded: 0, withheld: 0, rejected: 0, [end]: 1 };
    assert.deepEqual(
      {
        applied: settled.applied.length,
        superseded: settled.superseded.length,
        withheld: settled.withheld.length,
        rejected: settled.rejected.length,
      },
      counts,
    );
  }
});

test('a row without a result is a defect', () => {
  const { rows } = foldRows(wholeEvents([insertEvent(1, 1)]), testSettings);
  assert.throws(() => settleEvents(rows, []), Bug);
});
