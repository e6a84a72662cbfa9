import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilAborted } from '../src/deadline.ts';

const never = new Promise<string>(() => {});

test('work that ends in time gives its result or its error', async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve('done'), signal), 'done');
  await assert.rejects(untilAborted(Promise.reject(new Error('failed')), signal), /failed/);
});

test('work that never ends is given up, whether the signal came before or comes later', async () => {
  assert.equal(await untilAborted(never, AbortSignal.abort()), undefined);
  const controller = new AbortController();
  const result = untilAborted(never, controller.signal);
  controller.abort();
  assert.equal(await result, undefined);
});

// An unhandled rejection ends the process, and with it the batches of all partitions.
test('work that fails after it was given up fails nobody', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  assert.equal(await untilAborted(promise, AbortSignal.abort()), undefined);
  reject(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
});
