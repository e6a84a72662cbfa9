import { randomUUID } from 'node:crypto';
import { Deadline } from '../deadline.ts';
import { FAILING_MARK_SECONDS } from '../limits.ts';
import type { Message } from '../model/message.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import type { FailingBatch } from '../transactions/partitionProgress.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { arrivalsIn } from './arrivals.ts';
import { readSegments } from './readSegments.ts';

/** Notes that a batch has failed, as well as it can: what made it fail may make this fail, too. */
export async function markFailing(
  messages: readonly Message[],
  tracking: Tracking,
  settings: ReplicaSettings,
): Promise<void> {
  const deadline = new Deadline(FAILING_MARK_SECONDS);
  try {
    const read = readSegments(messages, settings.rules.debezium);
    const byPartition = Map.groupBy(arrivalsIn(read, tracking, settings), ({ partition }) => partition);
    for (const [partition, arrivals] of byPartition) {
      const holds = new Map<string, FailingBatch['holds'][number]>();
      for (const { key, db, commit } of arrivals) {
        const known = holds.get(key)?.commit;
        if (db === undefined || commit === undefined) holds.set(key, {});
        else if (known === undefined || commit < known) holds.set(key, { db, commit });
      }
      const failing = { id: randomUUID(), at: tracking.now(), holds: [...holds.values()] };
      await tracking.partitions.markFailing(partition, failing, deadline);
    }
  } catch {
    // The batch comes again all the same.
  } finally {
    deadline.end();
  }
}
