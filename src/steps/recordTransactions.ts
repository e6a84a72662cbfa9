import type { Deadline } from '../deadline.ts';
import type { Change } from '../model/change.ts';
import type { SequenceNumber } from '../model/sequenceNumber.ts';
import { tableText } from '../model/table.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import { ELSEWHERE, type Stray } from '../transactions/partitionProgress.ts';
import type { TrackedChange } from '../transactions/trackedChange.ts';
import type { Tracking } from '../transactions/tracking.ts';
import type { Rejected, WholeEvent } from './received.ts';

/**
 * Records which changes of which transactions have come to their end, whatever it was: Debezium counts what it emits,
 * and so does this. It comes before parked segments are removed: what is not parked any more is recorded.
 * @throws OutageError at the deadline.
 */
export async function recordTransactions(
  finished: readonly FinishedEvent[],
  rejected: readonly Rejected[],
  tracking: Tracking,
  settings: ReplicaSettings,
  deadline: Deadline,
): Promise<void> {
  for (const event of [...finished, ...rejected.filter(isDecoded)]) learnStream(event, tracking, settings);
  const strange = rejected.flatMap((one) => (one.change === undefined ? (streamOf(one) ?? []) : []));
  await tracking.lookUp(strange, deadline);
  const changes = [
    ...finished.flatMap((event) => toTracked(event, tracking, settings)),
    ...rejected.flatMap((event) =>
      toTracked(event, tracking, settings).map((change) => ({ ...change, reason: event.error.code })),
    ),
  ];
  if (changes.length > 0) await tracking.recordChanges(changes, deadline);
  const strays = Map.groupBy(rejected, partitionOf);
  for (const [partition, some] of strays) {
    const unknown = some.flatMap((event) => toStray(event, tracking));
    if (unknown.length > 0) await tracking.recordStrays(partition, unknown, deadline);
  }
}

/** An event of which segments and table are known. */
export interface FinishedEvent extends Pick<WholeEvent, 'segments'> {
  readonly change: Pick<Change, 'table'>;
}

type Decoded = Rejected & { readonly change: NonNullable<Rejected['change']> };

function isDecoded(rejected: Rejected): rejected is Decoded {
  return rejected.change !== undefined;
}

function learnStream(event: FinishedEvent, tracking: Tracking, settings: ReplicaSettings): void {
  const stream = streamOf(event);
  if (stream === undefined) return;
  const { table, epoch } = settings.rules.of(event.change.table);
  tracking.learn(stream, { db: table.db, epoch });
}

function streamOf({ segments }: Pick<Rejected, 'segments'>): string | undefined {
  return segments[0]?.segment.logicalId.streamGroup;
}

function toTracked(
  { segments, change }: Pick<Rejected, 'segments'> & Partial<FinishedEvent>,
  tracking: Tracking,
  settings: ReplicaSettings,
): readonly TrackedChange[] {
  const segment = segments[0]?.segment;
  if (segment === undefined) return [];
  const { streamGroup, lsn, sequence } = segment.logicalId;
  const rules = change === undefined ? undefined : settings.rules.of(change.table);
  const { db, epoch } =
    rules === undefined ? (tracking.stream(streamGroup) ?? {}) : { db: rules.table.db, epoch: rules.epoch };
  // A stray: no event of its stream group has ever been whole.
  if (db === undefined || epoch === undefined) return [];
  return [
    {
      db,
      epoch,
      lsn,
      number: numberOf(sequence),
      table: rules === undefined ? undefined : tableText(rules.table),
      time: segment.time,
    },
  ];
}

function toStray({ segments, change, error }: Rejected, tracking: Tracking): readonly Stray[] {
  const segment = segments[0]?.segment;
  if (segment === undefined || change !== undefined) return [];
  const { streamGroup: stream, lsn, sequence } = segment.logicalId;
  if (tracking.stream(stream) !== undefined) return [];
  return [{ stream, lsn, number: numberOf(sequence), reason: error.code, time: segment.time }];
}

function partitionOf({ segments }: Rejected): string {
  return segments[0]?.message.source.partition ?? ELSEWHERE;
}

function numberOf(sequence: SequenceNumber): number | undefined {
  const number = Number(sequence);
  return Number.isSafeInteger(number) ? number : undefined;
}
