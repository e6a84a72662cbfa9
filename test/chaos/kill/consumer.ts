import { FunctionsHost } from '../../../local/host/functionsHost.ts';
import type { Ask, Give } from './protocol.ts';

/**
 * A worker that is going to be killed: host and function in one process. It takes batches of the partitions named
 * on the command line from its parent, and tells the checkpoint after each batch that succeeded.
 */
const [bundle = '', ...partitionIds] = process.argv.slice(2);
const host = await FunctionsHost.load({ bundle, environment: ownEnvironment() });

/** Failures of one batch after which something is wrong with the servers. */
const MAX_ATTEMPTS = 20;

const takers = new Map<string, (give: Give) => void>();
process.on('message', (message) => {
  const give = message as Give;
  takers.get(give.partitionId)?.(give);
});

await Promise.all(partitionIds.map(consume));
await host.dispose();
process.disconnect();

async function consume(partitionId: string): Promise<void> {
  let given = await ask({ partitionId, checkpoint: undefined });
  while (given.messages.length > 0) {
    const batch = { partitionId, messages: given.messages };
    const delivery = await host.deliver('replicate', batch, { maxAttempts: MAX_ATTEMPTS });
    if (delivery.outcome !== 'succeeded') throw delivery.error;
    given = await ask({ partitionId, checkpoint: given.checkpoint + given.messages.length });
  }
}

function ask(question: Ask): Promise<Give> {
  const { promise, resolve } = Promise.withResolvers<Give>();
  takers.set(question.partitionId, resolve);
  process.send?.(question);
  return promise;
}

/** The host resolves names in bindings from its settings. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
