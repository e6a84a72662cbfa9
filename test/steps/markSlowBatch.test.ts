import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replicate } from '../../src/pipeline.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const options = { partitions: 1, idleMs: 20, withOrder: false, ttlSeconds: 60 };

test('a batch that is at work for long is marked, and the mark goes with its end: its partition seemed silent', async () => {
  const progress = new MemoryProgress();
  const services = { ...testServices(), tracking: new Tracking(progress, options, () => 5_000) };
  const messages = (...positions: readonly number[]) =>
    hubMessages(positions.map((position) => jsonMessage(insertEvent(position, position))));
  await replicate(messages(1), services);
  const marked = new Promise<unknown>((resolve) => {
    progress.written = ({ failing }) => {
      if (failing !== undefined) resolve(failing);
    };
  });
  services.store.gate = async () => {
    await marked;
  };
  await replicate(messages(3, 2), services);
  const holds = [{ db: 'shop', commit: '0000:00000000000000000002' }];
  const { id, ...mark } = (await marked) as Readonly<Record<string, unknown>>;
  assert.equal(typeof id, 'string');
  assert.deepEqual(mark, { at: 5_000, holds });
  const [partition] = await services.tracking.partitions.read(new AbortController().signal);
  assert.equal(partition?.failing, undefined);
});
