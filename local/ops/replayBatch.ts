import pMap from 'p-map';
import type { DeadLetterArchive } from '../../src/deadletter/deadLetterArchive.ts';
import { BLOB_CONCURRENCY } from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import type { Services } from '../../src/services.ts';
import { RekeptLetters } from './rekeptLetters.ts';
import type { Replayable } from './replayable.ts';
import type { ReplayCounts } from './replayReport.ts';

export interface ReplayServices extends Services {
  readonly archive: DeadLetterArchive;
}

/**
 * Puts letters through the pipeline together, and removes those whose result is durable.
 * @param createMissing false: only items that exist are written.
 * @throws OutageError when Cosmos DB or Blob storage does not do its work: no letter is lost, whichever are left
 * can be replayed again.
 */
export async function replayBatch(
  letters: readonly Replayable[],
  services: ReplayServices,
  createMissing: boolean,
): Promise<ReplayCounts> {
  const rekept = new RekeptLetters(letters, services.deadLetters);
  const messages = letters.map(({ message }) => message);
  const outcome = await replicate(
    messages,
    { ...services, deadLetters: rekept },
    { createMissing, replayed: true },
  );
  await noteEnded(letters, services);
  const withheld = new Set(outcome.withheld);
  const left = letters.filter(
    (letter) => withheld.has(letter.message) || rekept.reasonOf(letter) === letter.reason,
  );
  const staying = new Set(left);
  const signal = AbortSignal.timeout(services.settings.batchDeadlineSeconds * 1000);
  await pMap(
    letters.filter((letter) => !staying.has(letter)),
    ({ name }) => services.archive.remove(name, signal),
    { concurrency: BLOB_CONCURRENCY },
  );
  const { applied, superseded, excluded, parked } = outcome.report;
  return {
    applied,
    superseded,
    excluded,
    parked,
    withheld: left.filter(({ message }) => withheld.has(message)).map(({ name }) => name),
    deadAgain: letters.flatMap((letter) => {
      const reason = rekept.reasonOf(letter);
      return reason === undefined ? [] : [{ name: letter.name, reason }];
    }),
  };
}

/**
 * Notes the split events that came to their end, before the first of their letters goes: another replay that finds
 * only the rest of them would park these and wait for ever.
 */
async function noteEnded(
  letters: readonly Replayable[],
  { parking, recentEvents, settings }: ReplayServices,
): Promise<void> {
  const events = new Map(letters.flatMap(({ splitEvent: event }) => (event ? [[event.text, event]] : [])));
  const signal = AbortSignal.timeout(settings.batchDeadlineSeconds * 1000);
  await pMap(
    events.values().filter((event) => recentEvents.has(event)),
    (event) => parking.markReleased(event, signal),
    { concurrency: BLOB_CONCURRENCY },
  );
}
