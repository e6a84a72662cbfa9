import type { Deadline } from '../deadline.ts';
import type { Change } from '../model/change.ts';
import { tableText } from '../model/table.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import { ELSEWHERE, type Stray } from '../transactions/partitionProgress.ts';
import type { TrackedChange } from '../transactions/trackedChange.ts';
import type { Tracking } from '../transactions/tracking.ts';
import type { ObservedHub } from '../warnings/observed.ts';
import { progressOf, type ReadEvents } from './arrivals.ts';
import { placeOf } from './eventPlace.ts';
import type { Rejected, WholeEvent } from './received.ts';

/** What a batch brought, and into which partition. */
export interface Arrived {
  readonly read: ReadEvents;
  /** Instead of the partitions that the messages name. */
  readonly place?: string | undefined;
}

/** Which partitions a batch came from, of how many. */
export function hubOf({ read, place }: Arrived, { options }: Tracking): ObservedHub {
  const messages = [...read.segments, ...read.events].flatMap(({ message }) => message ?? []);
  const partitions = messages.flatMap(({ source }) => source.partition ?? []);
  return { partitions: new Set(place === undefined ? partitions : []), told: options.partitions };
}

/**
 * Records which changes of which transactions have come to their end, whatever it was: Debezium counts what it emits,
 * and so does this. With it goes how far the partitions have come. It comes after everything that this tells is
 * durable, and before parked segments are removed: what is not parked any more is recorded.
 * @param arrived undefined where nothing just came from a partition.
 * @throws OutageError at the deadline.
 */
export async function recordTransactions(
  finished: readonly FinishedEvent[],
  rejected: readonly Rejected[],
  tracking: Tracking,
  settings: ReplicaSettings,
  deadline: Deadline,
  arrived?: Arrived,
): Promise<void> {
  for (const event of [...finished, ...rejected.filter(isDecoded)]) learnStream(event, tracking, settings);
  const strange = rejected.flatMap((one) => (one.change === undefined ? (streamOf(one) ?? []) : []));
  const came = arrived?.read.segments.map(({ segment }) => segment.logicalId.streamGroup) ?? [];
  await tracking.lookUp([...strange, ...came], deadline);
  const changes = [
    ...finished.flatMap((event) => toTracked(event, tracking, settings)),
    ...rejected.flatMap((event) =>
      toTracked(event, tracking, settings).map((change) => ({ ...change, reason: event.error.code })),
    ),
  ];
  const strays = new Map(
    [...Map.groupBy(rejected, partitionOf)].flatMap(([partition, some]) => {
      const unknown = some.flatMap((event) => toStray(event, tracking));
      return unknown.length === 0 ? [] : [[partition, unknown] as const];
    }),
  );
  const progress = arrived && progressOf(arrived.read, tracking, settings, arrived.place);
  await tracking.record({ changes, strays, ...(progress && { progress }) }, deadline);
}

/** An event of which place and table are known. */
export interface FinishedEvent extends Pick<WholeEvent, 'segments' | 'message'> {
  readonly change: Pick<Change, 'table'> & Partial<Pick<Change, 'position' | 'time'>>;
}

type Decoded = Rejected & { readonly change: NonNullable<Rejected['change']> };

function isDecoded(rejected: Rejected): rejected is Decoded {
  return rejected.change !== undefined;
}

function learnStream(event: FinishedEvent, tracking: Tracking, settings: ReplicaSettings): void {
  const stream = streamOf(event);
  if (stream === undefined) return;
  const { table, epoch } = settings.rules.of(event.change.table);
  tracking.streams.learn(stream, { db: table.db, epoch });
}

function streamOf(event: Pick<Rejected, 'segments'>): string | undefined {
  return placeOf({ segments: event.segments })?.streamGroup;
}

function toTracked(
  event: Pick<Rejected, 'segments' | 'message'> & Partial<FinishedEvent>,
  tracking: Tracking,
  settings: ReplicaSettings,
): readonly TrackedChange[] {
  const place = placeOf(event);
  if (place === undefined) return [];
  const { streamGroup = '', lsn, number, time } = place;
  const { change } = event;
  const rules = change === undefined ? undefined : settings.rules.of(change.table);
  const { db, epoch } =
    rules === undefined
      ? (tracking.streams.databases(streamGroup)[0] ?? {})
      : { db: rules.table.db, epoch: rules.epoch };
  // A stray: no event of its stream group has ever been whole.
  if (db === undefined || epoch === undefined) return [];
  const table = rules === undefined ? undefined : tableText(rules.table);
  return [{ db, epoch, lsn, number, table, time }];
}

function toStray(event: Rejected, tracking: Tracking): readonly Stray[] {
  const place = placeOf(event);
  if (place?.streamGroup === undefined || event.change !== undefined) return [];
  const { streamGroup: stream, lsn, number, time } = place;
  if (tracking.streams.databases(stream).length > 0) return [];
  return [{ stream, lsn, number, reason: event.error.code, time }];
}

function partitionOf(event: Rejected): string {
  return placeOf(event)?.partition ?? ELSEWHERE;
}
