import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HubBatch } from '../../../local/hubMessage.ts';
import { type Concurrency, feed } from '../../../local/run/feed.ts';

function batches(...partitions: readonly string[]): HubBatch[] {
  return partitions.map((partitionId) => ({ partitionId, messages: [] }));
}

/** Feeds the batches and notes when each starts and ends; every batch takes a few turns of the event loop. */
async function notesOf(all: readonly HubBatch[], concurrency: Concurrency): Promise<string[]> {
  const notes: string[] = [];
  await feed(
    all,
    async (batch) => {
      const name = `${batch.partitionId}${all.indexOf(batch)}`;
      notes.push(`+${name}`);
      await new Promise(setImmediate);
      notes.push(`-${name}`);
    },
    concurrency,
  );
  return notes;
}

test('one batch at a time, in order', async () => {
  assert.deepEqual(await notesOf(batches('a', 'b', 'a'), 'one'), ['+a0', '-a0', '+b1', '-b1', '+a2', '-a2']);
});

test('partitions run at the same time, each with one batch under way', async () => {
  const notes = await notesOf(batches('a', 'b', 'a', 'a', 'b'), 'perPartition');
  assert.deepEqual(notes.slice(0, 2), ['+a0', '+b1']);
  for (const partition of ['a', 'b']) {
    const own = notes.filter((note) => note[1] === partition);
    const starts = own.filter((note) => note.startsWith('+'));
    assert.deepEqual(
      own,
      starts.flatMap((start) => [start, `-${start.slice(1)}`]),
    );
  }
  assert.equal(notes.length, 10);
});

test('a failure ends the feed after the batches under way, and is thrown', async () => {
  const ended: string[] = [];
  const run = feed(
    batches('a', 'b', 'a', 'c'),
    async ({ partitionId }) => {
      await new Promise(setImmediate);
      if (partitionId === 'a') throw new Error('no');
      ended.push(partitionId);
    },
    'perPartition',
  );
  await assert.rejects(run, /no/);
  assert.deepEqual(ended, ['b']);
});

test('what the source of the batches throws is thrown, after the batches under way', async () => {
  let ended = false;
  const source = async function* (): AsyncGenerator<HubBatch> {
    yield* batches('a');
    throw new Error('broken line');
  };
  const deliver = async (): Promise<void> => {
    await new Promise(setImmediate);
    ended = true;
  };
  await assert.rejects(feed(source(), deliver, 'perPartition'), /broken line/);
  assert.ok(ended);
});
