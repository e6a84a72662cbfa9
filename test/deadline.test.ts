import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deadline, untilAborted } from '../src/deadline.ts';

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

// It had gone with the first collection, and a batch that only looked at it went on until the host ended the process.
test('a deadline outlives collections of garbage, whether someone listens or not', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const deadline = new Deadline(0.05);
  for (let round = 0; round < 12; round += 1) {
    await sleep(5);
    collect();
  }
  await sleep(20);
  assert.equal(deadline.signal.aborted, true);
  assert.throws(() => deadline.check('work'), /work was not done within 0\.05 s/);
});

test('a deadline that was ended gives up what is under way', async () => {
  const deadline = new Deadline(60);
  const result = untilAborted(never, deadline.signal);
  deadline.end();
  assert.equal(await result, undefined);
});
