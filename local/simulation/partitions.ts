import type { HubMessage } from '../hubMessage.ts';
import { hash } from './hash.ts';
import type { SimulationOptions } from './options.ts';
import type { Random } from './random.ts';
import type { Send } from './sends.ts';
import type { SourceEvent } from './sourceEvent.ts';

/** A message of the hub, and when the producer sent it in relation to all others. */
export interface QueuedMessage {
  readonly message: HubMessage;
  readonly order: number;
}

const FIRST_ENQUEUED_MS = Date.UTC(2026, 7, 7, 16, 0, 5);
const ENQUEUE_INTERVAL_MS = 7;

/** The partitions of the hub, each with its messages in the order it got them. */
export function fillPartitions(
  sends: readonly Send[],
  options: SimulationOptions,
  random: Random,
): QueuedMessage[][] {
  const queues = Array.from({ length: options.partitions }, (): { send: Send; order: number }[] => []);
  for (const [order, send] of sends.entries()) {
    const key = partitionKey(send.outgoing.event, options.partitionScheme);
    queues[(key === null ? order : hash(key)) % options.partitions]?.push({ send, order });
  }
  return queues.map((queue, partition) => {
    let offset = 0;
    return moved(queue, options.reorder, random).map(({ send, order }, sequenceNumber) => {
      const { outgoing, id } = send;
      const body = outgoing.write(id);
      const key = partitionKey(outgoing.event, options.partitionScheme);
      const message = {
        body,
        partitionId: String(partition),
        sequenceNumber,
        offset: String(offset),
        enqueuedTime: new Date(FIRST_ENQUEUED_MS + sequenceNumber * ENQUEUE_INTERVAL_MS).toISOString(),
        partitionKey: key ?? (outgoing.keyed === true ? 'key' : null),
      };
      offset += body.length;
      return { message, order };
    });
  });
}

function partitionKey(event: SourceEvent, scheme: SimulationOptions['partitionScheme']): string | null {
  switch (scheme) {
    case 'none':
      return null;
    case 'streamGroup':
      return event.streamGroup;
    case 'table':
      return `${event.db}.${event.schema}.${event.table}`;
    case 'column':
      return event.key.map(({ value }) => value).join(',');
    default:
      return scheme satisfies never;
  }
}

/** Most move a little and a few move far: the cube keeps most delays short. */
function moved<T>(queue: readonly T[], reorder: number, random: Random): T[] {
  return queue
    .map((item, position) => ({ item, place: position + reorder * queue.length * random.next() ** 3 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
