import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { startLocalServers } from '../../local/run/localServers.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import type { Fault, RequestKind } from './fault.ts';
import { FaultyProxy } from './faultyProxy.ts';
import { blobRequestKind, cosmosRequestKind } from './requestKind.ts';

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;
/** The shortest that the settings allow. */
const DEADLINE_S = 5;
/** Longer than any test: whoever waits for it hangs. */
const SILENCE_MS = 600_000;
const HANG_MS = 90_000;

const [first = Buffer.alloc(0)] = splitMessages(insertEvent(2, 2), { form: 'text', base: 0, cuts: [60] });
const bodies = [avroMessage(insertEvent(1, 1)), first];
const batch = {
  partitionId: '0',
  messages: bodies.map((body, sequenceNumber) => ({
    body,
    partitionId: '0',
    sequenceNumber,
    offset: String(sequenceNumber),
    enqueuedTime: '2026-08-07T16:00:00.000Z',
    partitionKey: null,
  })),
};

// Whatever never answers must not take the batch past its deadline: the host would end the whole process.
for (const silent of ['bulk', 'otherCosmos', 'conditionalUpload', 'list'] as const) {
  test(`a ${silent} request that is never answered fails the batch at its deadline`, {
    timeout: HANG_MS,
  }, async () => {
    let weather: RequestKind | undefined = silent;
    const fault = (kind: RequestKind): Fault | undefined =>
      kind === weather ? { kind: 'silence', milliseconds: SILENCE_MS, done: true } : undefined;
    const servers = await startLocalServers(false);
    const cosmos = await FaultyProxy.start(servers.cosmos.endpoint, (incoming) =>
      fault(cosmosRequestKind(incoming)),
    );
    const blob = await FaultyProxy.start(servers.blob.endpoint, (incoming) =>
      fault(blobRequestKind(incoming)),
    );
    const connection = servers.settings.BLOB_CONNECTION_STRING;
    const host = await FunctionsHost.load({
      bundle,
      environment: {
        ...servers.environment,
        COSMOS_ENDPOINT: cosmos.origin,
        BLOB_CONNECTION_STRING: connection.replace(new URL(servers.blob.endpoint).origin, blob.origin),
        BATCH_DEADLINE_SECONDS: String(DEADLINE_S),
      },
    });
    try {
      await assert.rejects(host.invokeEventHub('replicate', batch), { name: 'OutageError' });
      weather = undefined;
      // The SDK waits on for what it asked of the container, until its own time-out: some deadlines long.
      const { outcome } = await host.deliver('replicate', batch, { maxAttempts: 10 });
      assert.equal(outcome, 'succeeded');
      assert.equal((await readReplica(servers)).length, 1);
    } finally {
      await host.dispose();
      await Promise.all([cosmos.close(), blob.close(), servers.close()]);
    }
  });
}
