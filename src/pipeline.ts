import type { DeadLetter } from './deadletter/deadLetter.ts';
import { Deadline } from './deadline.ts';
import type { Message } from './model/message.ts';
import { applyRows } from './replica/applyRows.ts';
import type { Services } from './services.ts';
import { assembleEvents } from './steps/assembleEvents.ts';
import { type BatchReport, batchReport } from './steps/batchReport.ts';
import { foldRows } from './steps/foldRows.ts';
import { lettersOf, putAside } from './steps/putAside.ts';
import { readSegments } from './steps/readSegments.ts';
import { releaseParked } from './steps/releaseParked.ts';
import { settleEvents } from './steps/settleEvents.ts';

/**
 * Takes one batch from the hub into the replica. It returns only when everything in it is durable: applied,
 * superseded by what was there, parked, or kept as a dead letter.
 * @throws OutageError when Cosmos DB or Blob storage does not do its work in time: the batch has to come again,
 * which is harmless.
 */
export async function replicate(messages: readonly Message[], services: Services): Promise<BatchOutcome> {
  const deadline = new Deadline(services.settings.batchDeadlineSeconds);
  try {
    return await replicateInTime(messages, services, deadline);
  } finally {
    deadline.end();
  }
}

async function replicateInTime(
  messages: readonly Message[],
  services: Services,
  deadline: Deadline,
): Promise<BatchOutcome> {
  const { settings } = services;
  const { signal } = deadline;

  const { segments, unreadable } = readSegments(messages);
  const assembled = await assembleEvents(segments, services, signal);
  const folded = foldRows(assembled.events, settings);
  const { results, operations } = await applyRows(
    folded.rows,
    services.store,
    deadline,
    settings.tombstoneSeconds,
  );
  const settled = settleEvents(folded.rows, results);
  const rejected = [...assembled.rejected, ...folded.rejected, ...settled.rejected];
  const letters = [...unreadable, ...rejected.flatMap(lettersOf)];
  await putAside(letters, services, signal);
  await releaseParked([...settled.applied, ...settled.superseded], rejected, services, signal);

  return { report: batchReport({ messages, assembled, folded, settled, letters, operations }), letters };
}

export interface BatchOutcome {
  readonly report: BatchReport;
  readonly letters: readonly DeadLetter[];
}
