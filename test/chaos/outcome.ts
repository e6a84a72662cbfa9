import type { HubMessage } from '../../local/hubMessage.ts';
import { compareWithOracle } from '../../local/run/compareWithOracle.ts';
import type { LocalServers } from '../../local/run/localServers.ts';
import { readBlobs } from '../../local/run/readBlobs.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import type { OracleTable } from '../../local/simulation/oracle.ts';
import { missingEvents } from './missingEvents.ts';
import { parkedLeft } from './parkedLeft.ts';

/**
 * What is wrong with the outcome of a sound history: the replica differs from the source, an event is parked that
 * was not applied, or there are dead letters.
 * @param messages all that the hub ever had.
 */
export async function problemsOf(
  servers: Pick<LocalServers, 'settings' | 'otherContainers'>,
  tables: readonly OracleTable[],
  messages: readonly HubMessage[],
): Promise<readonly string[]> {
  const items = await readReplica(servers);
  const groups = new Set((await parkedLeft(servers)).map(({ group }) => group));
  const { deadLetters } = await readBlobs(servers);
  return [
    ...compareWithOracle(tables, items).differences,
    ...missingEvents(groups, messages, items).map((group) => `${group}: parked, but not applied`),
    ...(deadLetters === 0 ? [] : [`${deadLetters} messages of a sound history were dead-lettered`]),
  ];
}
