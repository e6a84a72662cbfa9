import type { HubBatch, HubMessage } from '../hubMessage.ts';
import type { SimulationOptions } from './options.ts';
import type { QueuedMessage } from './partitions.ts';
import type { Random } from './random.ts';

/** Share of the batches that are as large as they may be. */
const FULL_SHARE = 0.7;
/** Most batches between the first delivery of a message and its redelivery, when the order is disturbed. */
const LONGEST_DELAY_BATCHES = 6;

/**
 * Batches in the order they are handed over: each partition in its order, partitions interleaved, and some
 * batches handed over again, cut differently, as after a crash or while two instances overlap.
 */
export function handOver(
  partitions: readonly (readonly QueuedMessage[])[],
  options: SimulationOptions,
  random: Random,
): { readonly batches: readonly HubBatch[]; readonly redelivered: number } {
  const first = interleave(
    partitions
      .map((queue) => inBatches(queue, options.batchSize, random))
      .filter((queue) => queue.length > 0),
    options.reorder,
    random,
  );
  const placed = first.map(({ batch }, place) => ({ batch, place }));
  let redelivered = 0;
  for (const [place, { batch }] of first.entries()) {
    if (!random.chance(options.duplicates / 2)) continue;
    redelivered += batch.messages.length;
    const delay = options.reorder > 0 ? random.integer(0, LONGEST_DELAY_BATCHES) : 0;
    for (const again of cutInTwo(batch, random)) placed.push({ batch: again, place: place + delay + 0.5 });
  }
  placed.sort((a, b) => a.place - b.place);
  return { batches: placed.map(({ batch }) => batch), redelivered };
}

interface OrderedBatch {
  readonly batch: HubBatch;
  /** When its first message was sent. */
  readonly order: number;
}

function inBatches(queue: readonly QueuedMessage[], batchSize: number, random: Random): OrderedBatch[] {
  const batches: OrderedBatch[] = [];
  for (let start = 0; start < queue.length; ) {
    const size = random.chance(FULL_SHARE) ? batchSize : random.integer(1, batchSize);
    const messages = queue.slice(start, start + size);
    batches.push({ batch: toBatch(messages.map(({ message }) => message)), order: messages[0]?.order ?? 0 });
    start += size;
  }
  return batches;
}

/** Takes the batch that was sent first, or with the chance `reorder` the next one of any partition. */
function interleave(
  queues: readonly (readonly OrderedBatch[])[],
  reorder: number,
  random: Random,
): OrderedBatch[] {
  const waiting = queues.map((queue) => queue.values());
  const heads = waiting.flatMap((rest) => {
    const head = rest.next();
    return head.done ? [] : [{ next: head.value, rest }];
  });
  const taken: OrderedBatch[] = [];
  while (heads.length > 0) {
    const any = random.chance(reorder);
    const chosen = any ? random.pick(heads) : heads.reduce((a, b) => (b.next.order < a.next.order ? b : a));
    taken.push(chosen.next);
    const following = chosen.rest.next();
    if (following.done) heads.splice(heads.indexOf(chosen), 1);
    else chosen.next = following.value;
  }
  return taken;
}

function cutInTwo(batch: HubBatch, random: Random): HubBatch[] {
  const cut = random.integer(0, batch.messages.length - 1);
  return [batch.messages.slice(0, cut), batch.messages.slice(cut)]
    .filter((messages) => messages.length > 0)
    .map(toBatch);
}

function toBatch(messages: readonly HubMessage[]): HubBatch {
  return { partitionId: messages[0]?.partitionId ?? '', messages };
}
