import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../local/simulation/random.ts';

const draws = (random: Random): number[] => Array.from({ length: 50 }, () => random.next());

test('a seed and a stream always give the same numbers, and no two streams do', () => {
  assert.deepEqual(draws(new Random(7, 'a')), draws(new Random(7, 'a')));
  assert.notDeepEqual(draws(new Random(7, 'a')), draws(new Random(7, 'b')));
  assert.notDeepEqual(draws(new Random(7, 'a')), draws(new Random(8, 'a')));
});

test('whole numbers cover their range evenly', () => {
  const random = new Random(1, 'range');
  const counts = [0, 0, 0, 0, 0];
  for (let draw = 0; draw < 10_000; draw += 1) {
    const value = random.integer(-2, 2) + 2;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  assert.equal(counts.length, 5);
  assert.ok(
    counts.every((count) => count > 1800 && count < 2200),
    String(counts),
  );
});

test('GUIDs have their form', () => {
  assert.match(
    new Random(3, 'guid').guid(),
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
