import { Deadline } from '../deadline.ts';
import { FAILING_MARK_SECONDS } from '../limits.ts';
import type { Message } from '../model/message.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import { type Commit, commitOf } from '../transactions/commit.ts';
import {
  type FailingBatch,
  noProgress,
  type StreamProgress,
  streamKey,
} from '../transactions/partitionProgress.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { DEBEZIUM_STREAM, type EventPlace, placeOf } from './eventPlace.ts';
import { type ReadMessages, readSegments } from './readSegments.ts';

type ReadEvents = Pick<ReadMessages, 'segments' | 'events'>;

/**
 * Records how far the partition of a batch has come. It is the last that is done for a batch: what it tells has to be
 * durable, the progress of the transactions included.
 * @param place instead of the partitions that the messages name.
 * @throws OutageError at the deadline.
 */
export async function recordPartitions(
  read: ReadEvents,
  tracking: Tracking,
  settings: ReplicaSettings,
  deadline: Deadline,
  place?: string,
): Promise<void> {
  await tracking.lookUp(
    read.segments.map(({ segment }) => segment.logicalId.streamGroup),
    deadline,
  );
  for (const [partition, arrivals] of byPartition(arrivalsIn(read, tracking, settings))) {
    const streams = new Map<string, StreamProgress>();
    for (const { key, db, commit } of arrivals) {
      if (db === undefined || commit === undefined) continue;
      const known = streams.get(key);
      if (known === undefined || known.commit < commit)
        streams.set(key, { db, commit, arrived: tracking.now() });
    }
    if (streams.size > 0)
      await tracking.recordPartition(place ?? partition, { ...noProgress, streams }, deadline);
  }
}

/** Notes that a batch has failed, as well as it can: what made it fail may make this fail, too. */
export async function markFailing(
  messages: readonly Message[],
  tracking: Tracking,
  settings: ReplicaSettings,
): Promise<void> {
  const deadline = new Deadline(FAILING_MARK_SECONDS);
  try {
    const read = readSegments(messages, settings.rules.debezium);
    for (const [partition, arrivals] of byPartition(arrivalsIn(read, tracking, settings))) {
      const holds = new Map<string, FailingBatch['holds'][number]>();
      for (const { key, db, commit } of arrivals) {
        const known = holds.get(key)?.commit;
        if (db === undefined || commit === undefined) holds.set(key, {});
        else if (known === undefined || commit < known) holds.set(key, { db, commit });
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

interface Arrival extends Pick<EventPlace, 'partition'> {
  readonly key: string;
  /** Undefined as long as nobody knows whose stream it is. */
  readonly db?: string;
  readonly commit?: Commit;
}

function arrivalsIn(
  { segments, events }: ReadEvents,
  tracking: Tracking,
  settings: ReplicaSettings,
): readonly Arrival[] {
  return [
    ...segments.flatMap((received): readonly Arrival[] => {
      const place = placeOf({ segments: [received] });
      if (place?.streamGroup === undefined) return [];
      const { streamGroup, lsn, partition } = place;
      const databases = tracking.databases(streamGroup);
      if (databases.length === 0) return [{ key: streamGroup, partition }];
      return databases.map(({ db, epoch }) => ({
        key: streamKey(streamGroup, db),
        db,
        commit: commitOf(epoch, lsn),
        partition,
      }));
    }),
    ...events.flatMap((event): readonly Arrival[] => {
      const place = placeOf(event);
      if (place === undefined) return [];
      const { table, epoch } = settings.rules.of(event.change.table);
      const key = streamKey(DEBEZIUM_STREAM, table.db);
      return [{ key, db: table.db, commit: commitOf(epoch, place.lsn), partition: place.partition }];
    }),
  ];
}

function byPartition(arrivals: readonly Arrival[]): Map<string, Arrival[]> {
  return Map.groupBy(arrivals, ({ partition }) => partition);
}
