import type { DeadLetter } from './deadletter/deadLetter.ts';
import { Deadline } from './deadline.ts';
import type { Message } from './model/message.ts';
import { applyRows } from './replica/applyRows.ts';
import type { Services } from './services.ts';
import type { Assembled } from './steps/assembled.ts';
import { assembleEvents } from './steps/assembleEvents.ts';
import { type BatchReport, type BatchResults, batchReport, withheldOf } from './steps/batchReport.ts';
import { foldRows } from './steps/foldRows.ts';
import { markFailing } from './steps/markFailing.ts';
import { markSlowBatch, type SlowBatch } from './steps/markSlowBatch.ts';
import { lettersOf, putAside } from './steps/putAside.ts';
import { readSegments } from './steps/readSegments.ts';
import { type Arrived, hubOf, recordTransactions } from './steps/recordTransactions.ts';
import { releaseParked } from './steps/releaseParked.ts';
import { settleEvents } from './steps/settleEvents.ts';
import { type TableReport, tableReports } from './steps/tableReports.ts';
import { watchBatch } from './steps/watchBatch.ts';
import { ELSEWHERE } from './transactions/partitionProgress.ts';
import type { Warning } from './warnings/warnings.ts';

/**
 * Takes one batch from the hub into the replica. It returns only when everything in it is durable: applied,
 * superseded by what was there, parked, or kept as a dead letter.
 * @throws OutageError when Cosmos DB or Blob storage does not do its work in time: the batch has to come again,
 * which is harmless.
 */
export async function replicate(
  messages: readonly Message[],
  services: Services,
  options: ReplicateOptions = { createMissing: true },
): Promise<BatchOutcome> {
  const { tracking, settings } = services;
  const deadline = new Deadline(settings.batchDeadlineSeconds);
  const isTracked = tracking !== undefined && options.replayed !== true;
  const slow = isTracked ? markSlowBatch(messages, tracking, settings) : undefined;
  try {
    return await replicateInTime(messages, services, deadline, options, slow);
  } catch (error) {
    await slow?.end();
    if (isTracked) await markFailing(messages, tracking, settings);
    throw error;
  } finally {
    deadline.end();
  }
}

async function replicateInTime(
  messages: readonly Message[],
  services: Services,
  deadline: Deadline,
  options: ReplicateOptions,
  slow: SlowBatch | undefined,
): Promise<BatchOutcome> {
  const { segments, events, unreadable, ignored } = readSegments(messages, services.settings.rules.debezium);
  const joined = await assembleEvents(segments, services, deadline.signal, options.createMissing);
  const assembled = { ...joined, events: [...joined.events, ...events] };
  const arrived = {
    read: { segments, events },
    place: options.replayed === true ? ELSEWHERE : undefined,
    slow,
  };
  const finished = await finishEvents({ ...assembled, unreadable }, services, deadline, {
    createMissing: options.createMissing,
    arrived,
  });
  const books = { messages, ignored, assembled, ...finished };
  return {
    report: batchReport(books),
    tables: tableReports(books),
    letters: finished.letters,
    warnings: finished.warnings,
    withheld: withheldOf({ assembled, settled: finished.settled }),
  };
}

/** The flow from assembled events on, which is all that parked events still need. */
export async function finishEvents(
  { events, rejected: broken, unreadable }: AssembledEvents,
  services: Services,
  deadline: Deadline,
  { createMissing = true, arrived }: FinishOptions = {},
): Promise<FinishedEvents> {
  const { settings } = services;
  const { signal } = deadline;
  const folded = foldRows(events, settings);
  const { results, operations } = await applyRows(
    folded.rows,
    services,
    deadline,
    settings.tombstoneSeconds,
    createMissing,
  );
  const settled = settleEvents(folded.rows, results);
  const rejected = [...broken, ...folded.rejected, ...settled.rejected];
  const letters = [...unreadable, ...rejected.flatMap((one) => lettersOf(one, settings.rules))];
  await putAside(letters, services, signal);
  const finished = [...settled.applied, ...settled.superseded, ...folded.excluded];
  // Recording takes the mark away.
  await arrived?.slow?.end();
  if (services.tracking !== undefined)
    await recordTransactions(finished, rejected, services.tracking, settings, deadline, arrived);
  await releaseParked(finished, rejected, services, signal);
  const hub = arrived && services.tracking && hubOf(arrived, services.tracking);
  const warnings = watchBatch(folded, results, rejected, services.watch, hub);
  return { folded, settled, letters, operations, warnings };
}

export interface FinishOptions extends Partial<Pick<ReplicateOptions, 'createMissing'>> {
  /** What came from the hub: its partitions have come so far with it. */
  readonly arrived?: Arrived & { readonly slow?: SlowBatch | undefined };
}

export interface ReplicateOptions {
  /**
   * False for messages that are older than tombstones get: of a row that is not stored nobody knows whether it was
   * deleted since. Such messages are applied to items that exist, and withheld otherwise.
   */
  readonly createMissing: boolean;
  /** True for messages that do not just come from their partition: they do not tell how far it has come. */
  readonly replayed?: boolean;
}

export interface BatchOutcome {
  readonly report: BatchReport;
  readonly tables: readonly TableReport[];
  readonly letters: readonly DeadLetter[];
  /** Left as they are; always empty when missing items may be created. */
  readonly withheld: readonly Message[];
  readonly warnings: readonly Warning[];
}

export interface AssembledEvents extends Pick<Assembled, 'events' | 'rejected'> {
  readonly unreadable: readonly DeadLetter[];
}

export interface FinishedEvents extends Pick<BatchResults, 'folded' | 'settled' | 'letters' | 'operations'> {
  readonly warnings: readonly Warning[];
}
