import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import { type Commit, commitOf } from '../transactions/commit.ts';
import { type StreamProgress, type Streams, streamKey } from '../transactions/partitionProgress.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { DEBEZIUM_STREAM, type EventPlace, placeOf } from './eventPlace.ts';
import type { ReadMessages } from './readSegments.ts';

/** The events of a batch, whole or not. */
export type ReadEvents = Pick<ReadMessages, 'segments' | 'events'>;

/** How far its partitions have come once a batch is handled. @param place instead of the partitions that the messages name. */
export function progressOf(
  read: ReadEvents,
  tracking: Tracking,
  settings: ReplicaSettings,
  place?: string,
): ReadonlyMap<string, Streams> {
  const progress = new Map<string, Map<string, StreamProgress>>();
  for (const { key, db, commit, partition } of arrivalsIn(read, tracking, settings)) {
    if (db === undefined || commit === undefined) continue;
    const streams = progress.get(place ?? partition) ?? new Map<string, StreamProgress>();
    progress.set(place ?? partition, streams);
    const known = streams.get(key);
    if (known === undefined || known.commit < commit)
      streams.set(key, { db, commit, arrived: tracking.now() });
  }
  return progress;
}

export interface Arrival extends Pick<EventPlace, 'partition'> {
  readonly key: string;
  /** Undefined as long as nobody knows whose stream it is. */
  readonly db?: string;
  readonly commit?: Commit;
}

export function arrivalsIn(
  { segments, events }: ReadEvents,
  tracking: Tracking,
  settings: ReplicaSettings,
): readonly Arrival[] {
  return [
    ...segments.flatMap((received): readonly Arrival[] => {
      const place = placeOf({ segments: [received] });
      if (place?.streamGroup === undefined) return [];
      const { streamGroup, lsn, partition } = place;
      const databases = tracking.streams.databases(streamGroup);
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
