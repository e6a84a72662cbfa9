import type { HubBatch } from '../hubMessage.ts';

/**
 * How batches follow each other. `one`: one after the other, so that a run can be repeated exactly. `perPartition`:
 * as on a host, where one batch of each partition is under way at a time.
 */
export type Concurrency = 'one' | 'perPartition';

/**
 * Hands over batches in their order. A batch waits for the one before it in its lane, and so do all behind it:
 * never more batches are held than there are partitions.
 * @throws what `deliver` throws first, once the other batches under way have ended
 */
export async function feed(
  batches: AsyncIterable<HubBatch> | Iterable<HubBatch>,
  deliver: (batch: HubBatch) => Promise<void>,
  concurrency: Concurrency,
): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const errors: unknown[] = [];
  const start = async (batch: HubBatch): Promise<void> => {
    try {
      await deliver(batch);
    } catch (error) {
      errors.push(error);
    }
  };
  try {
    for await (const batch of batches) {
      const lane = concurrency === 'one' ? '' : batch.partitionId;
      await underWay.get(lane);
      if (errors.length > 0) break;
      underWay.set(lane, start(batch));
    }
  } finally {
    await Promise.all(underWay.values());
  }
  if (errors.length > 0) throw errors[0];
}
