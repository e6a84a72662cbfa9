import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMissing } from '../../src/ces/describeMissing.ts';

const cases: readonly [indexes: readonly number[], final: number | undefined, text: string][] = [
  [[2, 0], undefined, 'segments 0, 2 of an event were there; missing: 1 and all after 2'],
  [[0], undefined, 'segment 0 of an event was there; missing: all after 0'],
  [[3], 3, 'segment 3 of an event was there, 3 being the last; missing: all before 3'],
  [[0, 1, 2, 6], 6, 'segments 0 to 2, 6 of an event were there, 6 being the last; missing: 3 to 5'],
  [
    [1, 4],
    undefined,
    'segments 1, 4 of an event were there; missing: 0, if there is one, 2, 3 and all after 4',
  ],
  [
    [1, 2],
    2,
    'segments 1, 2 of an event were there, 2 being the last; missing: 0, if there is one; if there is none, the data is broken',
  ],
];

for (const [indexes, final, text] of cases) {
  test(text, () => {
    assert.equal(describeMissing(indexes.map((index) => ({ index, final: index === final }))), text);
  });
}
