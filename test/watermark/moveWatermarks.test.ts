import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { replicate } from '../../src/pipeline.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermarks } from '../../src/watermark/moveWatermarks.ts';
import { SomeWatermarksFailed } from '../../src/watermark/someWatermarksFailed.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const databases = ['a', 'broken', 'c'];

/** Two transactions of each database, the first of which is over. */
async function world() {
  const progress = new MemoryProgress();
  const options = { partitions: 1, idleMs: 1000, withOrder: false, ttlSeconds: 60 };
  const services = { ...testServices(), tracking: new Tracking(progress, options, () => 5_000) };
  for (const [index, db] of databases.entries()) {
    const stream = `1bf2756a-c15f-4d2e-a2d5-00000000000${index}`;
    const events = [1, 2].map((position) => {
      const event = insertEvent(position, position, { db });
      return { ...event, logicalid: event.logicalid.replace(/^[^:]+/, stream) };
    });
    const bodies = events.map((event) => jsonMessage(event));
    await replicate(hubMessages(bodies, 0, '0'), services);
  }
  return { progress, services };
}

async function failureOf(services: Awaited<ReturnType<typeof world>>['services']): Promise<unknown> {
  const deadline = new Deadline(60);
  try {
    return await moveWatermarks(services, deadline, 0).then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    deadline.end();
  }
}

// It ended the run, and the databases after it never moved.
test('one database whose watermark cannot be read fails the run, after the others have moved', async () => {
  const { progress, services } = await world();
  progress.fault = ({ pkkey }) =>
    pkkey === 'broken:watermark'
      ? { outcome: { kind: 'throttled', retryAfterMs: 1 }, done: false }
      : undefined;
  const failure = await failureOf(services);
  assert.ok(failure instanceof SomeWatermarksFailed);
  assert.match(
    failure.message,
    /^the watermark of broken stays where it is: Cosmos DB: the watermark could not/,
  );
  assert.deepEqual(
    failure.reports.map(({ db, ended, lsn }) => [db, ended, lsn]).toSorted(),
    ['a', 'c'].map((db) => [db, 1, '00000000000000000001']),
  );
  assert.deepEqual(failure.databases.toSorted(), databases);
  assert.deepEqual(
    databases.map((db) => progress.item(`${db}:watermark`)?.['lsn']),
    ['00000000000000000001', undefined, '00000000000000000001'],
  );
});

test('a listing that fails moves none, and tells which there are: their boundaries can be sent all the same', async () => {
  const { services } = await world();
  const parking = Object.assign(Object.create(services.parking), {
    groups: () => {
      throw new OutageError('no answer');
    },
  });
  const failure = await failureOf({ ...services, parking });
  assert.ok(failure instanceof SomeWatermarksFailed);
  assert.deepEqual([failure.reports, failure.databases.toSorted()], [[], databases]);
  assert.match(failure.message, /^the watermark of \w+ \(and 2 more of 3\) stays where it is: no answer$/);
});
