import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogicalId, parseLogicalId } from '../../src/model/logicalId.ts';
import { RecentEvents } from '../../src/parking/recentEvents.ts';

function id(sequence: number): LogicalId {
  const parsed = parseLogicalId(`1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:000000B1000008A80007:${sequence}`);
  assert.ok(parsed !== undefined);
  return parsed;
}

const known = (recent: RecentEvents): number[] =>
  [1, 2, 3, 4, 5].filter((sequence) => recent.has(id(sequence)));

test('events are remembered by their id, not by identity', () => {
  const recent = new RecentEvents(3);
  recent.add(id(1));
  assert.deepEqual(known(recent), [1]);
});

test('no more than the limit are remembered; the oldest are forgotten first', () => {
  const recent = new RecentEvents(3);
  for (const sequence of [1, 2, 3, 4]) recent.add(id(sequence));
  assert.deepEqual(known(recent), [2, 3, 4]);
});

test('an event that is added again is the newest', () => {
  const recent = new RecentEvents(3);
  for (const sequence of [1, 2, 3, 1, 4]) recent.add(id(sequence));
  assert.deepEqual(known(recent), [1, 3, 4]);
});

test('with a limit of 0 nothing is remembered', () => {
  const recent = new RecentEvents(0);
  recent.add(id(1));
  assert.deepEqual(known(recent), []);
});
