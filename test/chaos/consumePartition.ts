import type { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubMessage } from '../../local/hubMessage.ts';
import type { Random } from '../../local/simulation/random.ts';

export interface Consumed {
  /** Deliveries of a batch after one that failed. */
  readonly redeliveries: number;
  /** Batches that a new owner took while the old one was still at them. */
  readonly overlaps: number;
  /** Batches that were done but whose checkpoint was never written. */
  readonly lostCheckpoints: number;
  readonly problems: readonly string[];
}

export interface PartitionOptions {
  readonly partitionId: string;
  readonly messages: readonly HubMessage[];
  readonly instances: readonly FunctionsHost[];
  readonly batchSize: number;
  /** Failures of one batch after which the run has failed. */
  readonly maxAttempts: number;
  readonly random: Random;
}

/** Share of the batches that are taken over while they are worked at, and whose checkpoint is lost. */
const OVERLAP_SHARE = 0.15;
const LOST_CHECKPOINT_SHARE = 0.1;

/**
 * Reads a partition as the host does: from the checkpoint, a batch at a time, each again until it succeeds. Owners
 * change; a new owner starts at the last checkpoint and cuts its batches anew.
 */
export async function consumePartition(options: PartitionOptions): Promise<Consumed> {
  const { partitionId, messages, instances, batchSize, maxAttempts, random } = options;
  const underWay: Promise<unknown>[] = [];
  const count = { redeliveries: 0, overlaps: 0, lostCheckpoints: 0 };
  const problems: string[] = [];
  for (let checkpoint = 0; checkpoint < messages.length && problems.length === 0; ) {
    const batch = {
      partitionId,
      messages: messages.slice(checkpoint, checkpoint + random.integer(1, batchSize)),
    };
    if (random.chance(OVERLAP_SHARE)) {
      count.overlaps += 1;
      // The old owner goes on with what it has; whatever it comes to, its checkpoint does not count any more.
      underWay.push(
        random
          .pick(instances)
          .invokeEventHub('replicate', batch)
          .catch(() => undefined),
      );
      batch.messages = batch.messages.slice(0, random.integer(1, batch.messages.length));
    }
    const delivery = await random.pick(instances).deliver('replicate', batch, { maxAttempts });
    count.redeliveries += delivery.attempts - 1;
    if (delivery.outcome !== 'succeeded') {
      problems.push(
        `partition ${partitionId}: ${delivery.outcome} after ${delivery.attempts} attempts: ${delivery.error}`,
      );
    } else if (random.chance(LOST_CHECKPOINT_SHARE)) count.lostCheckpoints += 1;
    else checkpoint += batch.messages.length;
  }
  await Promise.all(underWay);
  return { ...count, problems };
}
