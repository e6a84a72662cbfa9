import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handOver } from '../../../local/simulation/batches.ts';
import { defaultSimulationOptions } from '../../../local/simulation/options.ts';
import type { QueuedMessage } from '../../../local/simulation/partitions.ts';
import { Random } from '../../../local/simulation/random.ts';

const PARTITIONS = 3;
const options = { ...defaultSimulationOptions, duplicates: 0, reorder: 0, batchSize: 1 };

/** Messages sent to the partitions in turn. */
const queues = Array.from({ length: PARTITIONS }, (_, partition) =>
  Array.from({ length: 30 }, (_, position) => queued(partition, position)),
);

test('undisturbed, the partitions take turns as the messages were sent', () => {
  assert.deepEqual(places(0).slice(0, 4), ['0/0', '1/0', '2/0', '0/1']);
});

test('disturbed, the partitions run apart and each keeps its order', () => {
  const disturbed = places(1);
  assert.notDeepEqual(disturbed, places(0));
  assert.deepEqual(disturbed.toSorted(), places(0).toSorted());
  const own = disturbed.filter((place) => place.startsWith('1/'));
  assert.deepEqual(
    own,
    own.map((_, position) => `1/${position}`),
  );
});

test('with all duplicates, about half of the batches are handed over again', () => {
  const { batches, redelivered } = handOver(queues, { ...options, duplicates: 1 }, new Random(5, 'test'));
  const messages = batches.flatMap((batch) => batch.messages);
  assert.equal(messages.length, PARTITIONS * 30 + redelivered);
  assert.ok(redelivered > 30 && redelivered < 60);
  assert.equal(new Set(messages).size, PARTITIONS * 30);
});

function places(reorder: number): string[] {
  return handOver(queues, { ...options, reorder }, new Random(5, 'test')).batches.flatMap(({ messages }) =>
    messages.map(({ partitionId, sequenceNumber }) => `${partitionId}/${sequenceNumber}`),
  );
}

function queued(partition: number, sequenceNumber: number): QueuedMessage {
  const message = {
    body: new Uint8Array([0x7b]),
    partitionId: String(partition),
    sequenceNumber,
    offset: String(sequenceNumber),
    enqueuedTime: '2026-08-07T16:00:00.000Z',
    partitionKey: null,
  };
  return { message, order: sequenceNumber * PARTITIONS + partition };
}
