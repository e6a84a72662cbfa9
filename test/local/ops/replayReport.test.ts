import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAMED_LETTERS } from '../../../local/ops/limits.ts';
import { isComplete, type ReplayReport, replayLines } from '../../../local/ops/replayReport.ts';

const DAYS = 24 * 60 * 60;
const complete: ReplayReport = {
  letters: 6,
  applied: 3,
  superseded: 2,
  excluded: 0,
  parked: 1,
  withheld: [],
  deadAgain: [],
  gone: [],
  failed: [],
  notTried: 0,
  named: false,
  more: false,
};

test('a replay without trouble is one line', () => {
  assert.ok(isComplete(complete));
  assert.deepEqual(replayLines(complete, 8 * DAYS), [
    'Replayed 6 of 6: 3 applied, 2 superseded, 0 excluded, 1 parked',
  ]);
});

test('whatever is left is named, with why, and makes the replay incomplete', () => {
  for (const [part, expected] of [
    [{ withheld: ['x/y/z'] }, /older than the 8 days of tombstones .*--create.*: 1\n {2}x\/y\/z$/],
    [{ deadAgain: [{ name: '1/no-key/z', reason: 'no-key' }] }, /again: 1\n {2}1\/no-key\/z$/],
    [{ deadAgain: [{ name: '1/no-key/z', reason: 'no-row' }] }, /again: 1\n {2}1\/no-key\/z, now no-row$/],
    [{ failed: [{ names: ['x/y/z'], error: 'away' }] }, /Failed.*: away: 1\n {2}x\/y\/z$/],
    [{ gone: ['x/y/z'], named: true }, /Not there: 1\n {2}x\/y\/z$/],
    [{ notTried: 4 }, /Not tried: 4; run it again$/],
    [{ more: true }, /run it again$/],
  ] as const) {
    const report = { ...complete, ...part };
    assert.equal(isComplete(report), false);
    assert.match(replayLines(report, 8 * DAYS).join('\n'), expected);
  }
});

test('long lists of names are cut', () => {
  const withheld = Array.from({ length: NAMED_LETTERS + 2 }, (_, index) => `x/y/${index}`);
  const lines = replayLines({ ...complete, withheld }, 8 * DAYS);
  assert.equal(lines.length, NAMED_LETTERS + 3);
  assert.equal(lines.at(-1), '  and 2 more; --json names them all');
});
