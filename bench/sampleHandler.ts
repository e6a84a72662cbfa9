import type { Container } from '@azure/cosmos';
import type { HubMessage } from '../local/hubMessage.ts';

/**
 * What samples usually do: parse each event and upsert its row, the whole batch in parallel. It keeps no order,
 * loses deletes' memory and takes no split events, and so has less to do than a replica has.
 */
export async function sampleHandler(messages: readonly HubMessage[], container: Container): Promise<void> {
  await Promise.all(
    messages.map(async ({ body }) => {
      const { data } = JSON.parse(Buffer.from(body).toString());
      const { eventsource, eventrow } = JSON.parse(data);
      const id = String(eventsource.pkkey[0].value);
      await container.items.upsert({ id, pkkey: id, ...JSON.parse(eventrow.current) });
    }),
  );
}
