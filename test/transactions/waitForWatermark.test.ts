import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@azure/cosmos';
import {
  type ReachedWatermark,
  type WatermarkContainer,
  WatermarkNotReached,
  waitForWatermark,
} from '../../src/reader.ts';

const at = (end: string): string => end.padStart(20, '0');
const exceptions = {
  dead_letters: 1,
  reasons: { 'no-key': 1 },
  transactions: { '00000000:00000000:002a': { 'no-key': 1 } },
};

/** A container whose watermark is one step further each time it is read. */
function container(...steps: readonly (string | null | undefined)[]) {
  const keys: string[] = [];
  const left = [...steps];
  const made: WatermarkContainer = {
    item: (id, partitionKey) => ({
      read: async () => {
        keys.push(`${id} ${partitionKey}`);
        const lsn = left.length > 1 ? left.shift() : left[0];
        const commit = `0000:${lsn}`;
        return { resource: lsn === undefined ? undefined : { lsn, commit, time: 'then', exceptions } };
      },
    }),
  };
  return { made, keys };
}

test('it waits from nothing to the commit that is asked for, and tells what is lacking', async () => {
  const { made, keys } = container(undefined, null, at('2B'), at('2C'), at('2D'));
  const reached = await waitForWatermark(made, 'a b', '00000000:00000000:002c', { everyMs: 1 });
  assert.deepEqual(reached, { lsn: at('2C'), time: 'then', exceptions });
  assert.deepEqual(
    keys,
    Array.from({ length: 4 }, () => 'watermark a~20b:watermark'),
  );
});

test('it ends after its time, saying where the watermark is', async () => {
  const { made, keys } = container(at('2'));
  await assert.rejects(
    waitForWatermark(made, 'shop', at('3'), { everyMs: 10, timeoutMs: 30 }),
    (error) => error instanceof WatermarkNotReached && error.message.includes(at('2')),
  );
  // A timer may be a little early, and the last pause short.
  assert.ok(keys.length >= 1 && keys.length <= 6, `${keys.length} looks`);
});

// It slept for a whole pause however little time was left.
test('a pause ends with the time', { timeout: 60_000 }, async ({ signal }) => {
  const { made } = container(at('2'));
  await assert.rejects(
    waitForWatermark(made, 'shop', at('3'), { everyMs: 3_600_000, timeoutMs: 5, signal }),
    WatermarkNotReached,
  );
});

test('it says that there is no watermark, and in which epoch it is', async () => {
  const options = { everyMs: 1, timeoutMs: 1, epoch: 1 };
  await assert.rejects(waitForWatermark(container(undefined).made, 'Shop', at('3'), options), {
    message: 'there is no watermark of Shop in the container after 1 ms',
  });
  await assert.rejects(waitForWatermark(container(at('3')).made, 'shop', at('3'), options), {
    message: `the watermark of shop is at 0000:${at('3')} after 1 ms`,
  });
});

test('it can be given up, and takes LSNs only', async () => {
  const { made } = container(at('2'));
  const signal = AbortSignal.abort(new Error('given up'));
  await assert.rejects(waitForWatermark(made, 'shop', at('3'), { signal }), /given up/);
  await assert.rejects(waitForWatermark(made, 'shop', 'yesterday'), RangeError);
  await assert.rejects(waitForWatermark(made, 'shop', `0x${at('3')}`), /without 0x/);
});

test('a watermark of the epoch before is none: its LSNs may be higher', async () => {
  const { made } = container(at('9'));
  const options = { everyMs: 1, timeoutMs: 2 };
  await assert.rejects(
    waitForWatermark(made, 'shop', at('3'), { ...options, epoch: 1 }),
    WatermarkNotReached,
  );
  assert.equal((await waitForWatermark(made, 'shop', at('3'), { ...options, epoch: 0 })).lsn, at('9'));
});

test('giving up ends a look that is under way, too', async () => {
  const controller = new AbortController();
  const read: ReturnType<WatermarkContainer['item']>['read'] = (options) =>
    new Promise((_, reject) => {
      options?.abortSignal?.addEventListener('abort', () => reject(new Error('the look was given up')));
      controller.abort();
    });
  const { signal } = controller;
  const waiting = waitForWatermark({ item: () => ({ read }) }, 'shop', at('3'), { signal });
  await assert.rejects(waiting, /the look was given up/);
});

test('without a pause it does not look for ever', async () => {
  const { made } = container(at('2'));
  for (const everyMs of [0, -1, Number.NaN])
    await assert.rejects(waitForWatermark(made, 'shop', at('3'), { everyMs, timeoutMs: 5 }), RangeError);
});

// The compiler checks that a program can ask for all that the item tells, and that the SDK's container is one.
(({ exceptions: told }: ReachedWatermark): unknown => told.transactions) satisfies unknown;
((sdk: Container): WatermarkContainer => sdk) satisfies unknown;
