import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultSimulationOptions,
  MAX_BATCH_SIZE,
  MAX_CHANGES,
  MAX_PARTITIONS,
  MAX_SEGMENT_BYTES,
  MAX_VALUE_BYTES,
  MIN_SEGMENT_BYTES,
  type SimulationOptions,
} from '../../../local/simulation/options.ts';
import { simulate } from '../../../local/simulation/simulate.ts';

const wrong: readonly Partial<SimulationOptions>[] = [
  { changes: -1 },
  { changes: 1.5 },
  { changes: MAX_CHANGES + 1 },
  { seed: -1 },
  { seed: Number.NaN },
  { partitions: 0 },
  { partitions: MAX_PARTITIONS + 1 },
  { segmentBytes: MIN_SEGMENT_BYTES - 1 },
  { segmentBytes: MAX_SEGMENT_BYTES + 1 },
  { largeValueBytes: -1 },
  { largeValueBytes: MAX_VALUE_BYTES + 1 },
  { batchSize: 0 },
  { batchSize: MAX_BATCH_SIZE + 1 },
  { duplicates: 1.1 },
  { duplicates: Number.NaN },
  { reorder: -0.1 },
];

for (const options of wrong) {
  const [[name, value] = ['', 0]] = Object.entries(options);
  test(`${name} ${value} is out of range`, () => {
    const expected = { name: 'RangeError', message: new RegExp(`^${name} .*${value}$`) };
    assert.throws(() => simulate({ ...defaultSimulationOptions, ...options }), expected);
  });
}

test('key changes as updates need whole rows and old values', () => {
  const update = { ...defaultSimulationOptions, keyChanges: 'update' } as const;
  assert.throws(() => simulate({ ...update, changedColumnsOnly: true }), RangeError);
  assert.throws(() => simulate({ ...update, oldValues: false }), RangeError);
  assert.doesNotThrow(() => simulate({ ...update, changes: 10 }));
});

test('no changes give no batches and empty tables', () => {
  const { batches, tables } = simulate({ ...defaultSimulationOptions, changes: 0 });
  assert.deepEqual(batches, []);
  assert.ok(
    tables.length > 0 && tables.every(({ rows, deletedKeys }) => rows.length + deletedKeys.length === 0),
  );
});

test('the smallest segments still carry every byte', () => {
  const { statistics } = simulate({
    ...defaultSimulationOptions,
    changes: 5,
    segmentBytes: MIN_SEGMENT_BYTES,
  });
  assert.equal(statistics.splitEvents, 5);
});
