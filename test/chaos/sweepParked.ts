import type { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubMessage } from '../../local/hubMessage.ts';
import type { LocalServers } from '../../local/run/localServers.ts';
import { parkedLeft, readParked } from './parkedLeft.ts';

/**
 * Has an instance without a memory look at each parked event once more. A copy that came too late goes; a group
 * that is complete, but that nobody saw complete, is applied.
 * @returns the number of parked segments found.
 */
export async function sweepParked(
  servers: Pick<LocalServers, 'settings'>,
  load: () => Promise<FunctionsHost>,
): Promise<number> {
  const left = await parkedLeft(servers);
  const sweeper = await load();
  for (const [blob] of Map.groupBy(left, ({ group }) => group).values()) {
    if (blob === undefined) continue;
    const message: HubMessage = { ...unknownPlace, body: await readParked(servers, blob) };
    await sweeper.invokeEventHub('replicate', { partitionId: message.partitionId, messages: [message] });
  }
  await sweeper.dispose();
  return left.length;
}

const unknownPlace: Omit<HubMessage, 'body'> = {
  partitionId: '0',
  sequenceNumber: 0,
  offset: '0',
  enqueuedTime: '2026-08-07T16:00:00.000Z',
  partitionKey: null,
};
