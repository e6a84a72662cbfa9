import { Deadline } from '../deadline.ts';
import { FAILING_MARK_SECONDS } from '../limits.ts';
import type { LogicalId } from '../model/logicalId.ts';
import type { Message } from '../model/message.ts';
import { type Commit, commitOf } from '../transactions/commit.ts';
import {
  ELSEWHERE,
  type FailingBatch,
  noProgress,
  type StreamProgress,
  streamKey,
} from '../transactions/partitionProgress.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { readSegments } from './readSegments.ts';
import type { ReceivedSegment } from './received.ts';

/**
 * Records how far the partition of a batch has come. It is the last that is done for a batch: what it tells has to be
 * durable, the progress of the transactions included.
 * @throws OutageError at the deadline.
 */
export async function recordPartitions(
  segments: readonly ReceivedSegment[],
  tracking: Tracking,
  deadline: Deadline,
): Promise<void> {
  await tracking.lookUp(
    segments.map(({ segment }) => segment.logicalId.streamGroup),
    deadline,
  );
  for (const [partition, received] of byPartition(segments)) {
    const streams = new Map<string, StreamProgress>();
    for (const { segment } of received) {
      const { streamGroup, lsn } = segment.logicalId;
      for (const { db, epoch } of tracking.databases(streamGroup)) {
        const key = streamKey(streamGroup, db);
        const commit = commitOf(epoch, lsn);
        const known = streams.get(key);
        if (known === undefined || known.commit < commit)
          streams.set(key, { db, commit, arrived: tracking.now() });
      }
    }
    if (streams.size > 0) await tracking.recordPartition(partition, { ...noProgress, streams }, deadline);
  }
}

/** Notes that a batch has failed, as well as it can: what made it fail may make this fail, too. */
export async function markFailing(messages: readonly Message[], tracking: Tracking): Promise<void> {
  const deadline = new Deadline(FAILING_MARK_SECONDS);
  try {
    for (const [partition, received] of byPartition(readSegments(messages).segments)) {
      const holds = new Map<string, FailingBatch['holds'][number]>();
      for (const { segment } of received) {
        const { streamGroup } = segment.logicalId;
        const db = tracking.stream(streamGroup)?.db;
        const commit = commitIn(segment.logicalId, tracking);
        const known = holds.get(streamGroup)?.commit;
        if (db === undefined || commit === undefined) holds.set(streamGroup, {});
        else if (known === undefined || commit < known) holds.set(streamGroup, { db, commit });
      }
      const failing = { at: tracking.now(), holds: [...holds.values()] };
      await tracking.markFailing(partition, failing, deadline);
    }
  } catch {
    // The batch comes again all the same.
  } finally {
    deadline.end();
  }
}

function commitIn({ streamGroup, lsn }: LogicalId, tracking: Tracking): Commit | undefined {
  const known = tracking.stream(streamGroup);
  return known === undefined ? undefined : commitOf(known.epoch, lsn);
}

function byPartition(segments: readonly ReceivedSegment[]): Map<string, ReceivedSegment[]> {
  return Map.groupBy(segments, ({ message }) => message.source.partition ?? ELSEWHERE);
}
