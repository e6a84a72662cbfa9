import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { LogEntry } from '../../../local/host/appInstance.ts';
import { AppLoadError, FunctionsHost } from '../../../local/host/functionsHost.ts';
import { batchOf } from './batches.ts';
import { bundleFixture, startRecording } from './fixtures/bundleFixture.ts';

async function bundled(t: TestContext, name: string): Promise<string> {
  const { path, remove } = await bundleFixture(name);
  t.after(remove);
  return path;
}

describe('FunctionsHost.load', () => {
  it('reports what was registered before the app threw, and restores the environment', async (t) => {
    const bundle = await bundled(t, 'misconfigured');
    await assert.rejects(FunctionsHost.load({ bundle, environment: { LIMIT: 'many' } }), (error) => {
      assert.ok(error instanceof AppLoadError);
      assert.deepEqual(
        error.functions.map(({ name }) => name),
        ['sweep'],
      );
      assert.ok(error.cause instanceof RangeError);
      assert.equal(error.cause.message, 'LIMIT must be a number, not many');
      return true;
    });
    assert.equal(process.env['LIMIT'], undefined);
  });

  it('rejects when there is no such file', async () => {
    await assert.rejects(FunctionsHost.load({ bundle: '/nowhere/app.cjs', environment: {} }), AppLoadError);
  });

  it('runs the app’s hooks around start, invocation and end', async (t) => {
    const bundle = await bundled(t, 'hooked');
    const recorded = startRecording<string>();
    const logs: LogEntry[] = [];
    const host = await FunctionsHost.load({
      bundle,
      environment: { STAGE: 'local' },
      log: (entry) => logs.push(entry),
    });
    assert.deepEqual(logs, [
      { level: 'debug', category: 'system', message: 'Capability Extra set to true.' },
    ]);

    await host.invokeEventHub('hooked', batchOf('a', 'b'));
    await host.dispose();
    await host.dispose();
    assert.deepEqual(recorded, ['appStart', 'post 2 replaced', 'appTerminate local']);
    assert.equal(process.env['STAGE'], undefined);
  });
});

describe('FunctionsHost and failing handlers', () => {
  const load = async (t: TestContext, failures: number): Promise<FunctionsHost> => {
    const bundle = await bundled(t, 'failing');
    const host = await FunctionsHost.load({ bundle, environment: { FAILURES: `${failures}` } });
    t.after(() => host.dispose());
    return host;
  };

  it('rejects with the handler’s own error', async (t) => {
    startRecording();
    const host = await load(t, 1);
    await assert.rejects(host.invokeEventHub('forEver', batchOf('a')), new TypeError('0 failures left'));
    await host.invokeEventHub('forEver', batchOf('a'));
  });

  it('surfaces retry policies with their intervals in seconds', async (t) => {
    const host = await load(t, 0);
    assert.deepEqual(
      host.functions.map(({ retry }) => retry),
      [
        undefined,
        { strategy: 'fixedDelay', maxRetryCount: 2, delayInterval: 120 },
        { strategy: 'exponentialBackoff', maxRetryCount: -1, minimumInterval: 1, maximumInterval: 60 },
      ],
    );
  });

  it('delivers again until the handler succeeds, telling it so', async (t) => {
    const host = await load(t, 2);
    const contexts = startRecording<{ retryCount: number; exception?: { message: string } } | undefined>();
    const delivery = await host.deliver('forEver', batchOf('a'), { maxAttempts: 10 });
    assert.deepEqual(delivery, { outcome: 'succeeded', attempts: 3 });
    assert.deepEqual(
      contexts.map((context) => [context?.retryCount, context?.exception?.message]),
      [
        [0, undefined],
        [1, '1 failures left'],
        [2, '0 failures left'],
      ],
    );
  });

  it('loses the batch without a policy, or when a finite one is used up', async (t) => {
    startRecording();
    const host = await load(t, 4);
    const once = await host.deliver('withoutPolicy', batchOf('a'), { maxAttempts: 10 });
    assert.deepEqual([once.outcome, once.attempts], ['lost', 1]);
    const thrice = await host.deliver('twice', batchOf('a'), { maxAttempts: 10 });
    assert.deepEqual([thrice.outcome, thrice.attempts], ['lost', 3]);
  });

  it('stops at the caller’s limit', async (t) => {
    startRecording();
    const host = await load(t, 100);
    const delivery = await host.deliver('forEver', batchOf('a'), { maxAttempts: 5 });
    assert.deepEqual(delivery, { outcome: 'gaveUp', attempts: 5, error: new TypeError('95 failures left') });
    await assert.rejects(host.deliver('forEver', batchOf('a'), { maxAttempts: 0 }), RangeError);
  });
});
