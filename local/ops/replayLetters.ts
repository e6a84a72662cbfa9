import pMap from 'p-map';
import { BLOB_CONCURRENCY } from '../../src/limits.ts';
import { type AgeLimits, type Replayable, replayable } from './replayable.ts';
import { type ReplayServices, replayBatch } from './replayBatch.ts';
import { ReplayBooks } from './replayBooks.ts';
import { ReplayLane } from './replayLane.ts';
import type { ReplayReport } from './replayReport.ts';
import type { Selected } from './selectNames.ts';

export interface ReplayOptions {
  /** Create missing items whatever the age of the message. */
  readonly create: boolean;
  /** Ends the replay after the batch that is under way. */
  readonly stop: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Told how many letters are done with. */
  readonly onProgress: (done: number) => void;
}

/**
 * Puts dead letters through the pipeline again, in batches. First those that are events of their own; then the
 * split events, all known segments of one together, since an old event may only be applied when it is whole.
 */
export async function replayLetters(
  selected: Selected,
  services: ReplayServices,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const books = new ReplayBooks(selected, options.onProgress);
  const ended = (): boolean => options.stop.aborted || books.gaveUp;
  const run = async (letters: readonly Replayable[], createMissing: boolean): Promise<void> => {
    if (letters.length === 0 || ended()) return;
    const names = letters.map(({ name }) => name);
    await books.enter(names, () => replayBatch(letters, services, createMissing));
  };
  const young = new ReplayLane((letters) => run(letters, true));
  const old = new ReplayLane((letters) => run(letters, options.create));
  const laneOf = (letters: readonly Replayable[]): ReplayLane => {
    return letters.some((letter) => letter.old) ? old : young;
  };
  const limits = { now: options.now, tombstoneSeconds: services.settings.tombstoneSeconds };
  const fetch = (names: readonly string[]): Promise<Replayable[]> => fetchAll(names, services, limits, books);

  const splitEvents = new Map<string, string[]>();
  for (const names of chunks(selected.names)) {
    if (ended()) break;
    for (const letter of await fetch(names)) {
      if (letter.splitEvent === undefined) await laneOf([letter]).add([letter]);
      else putInto(splitEvents, letter.splitEvent.text, letter.name);
    }
  }
  // Their content was let go in between: there may be more of them than fit in memory.
  for (const names of splitEvents.values()) {
    if (ended()) break;
    const letters = await fetch(names);
    await laneOf(letters).add(letters);
  }
  await young.finish();
  await old.finish();
  return books.close();
}

/** Those that are there; what became of the others is in the books. */
async function fetchAll(
  names: readonly string[],
  { archive, settings }: ReplayServices,
  limits: AgeLimits,
  books: ReplayBooks,
): Promise<Replayable[]> {
  const signal = AbortSignal.timeout(settings.batchDeadlineSeconds * 1000);
  const fetched = await pMap(
    names,
    async (name): Promise<Replayable[]> => {
      try {
        const letter = await archive.fetch(name, signal);
        if (letter !== undefined) return [replayable(letter, limits)];
        books.gone(name);
      } catch (error) {
        books.failed([name], error);
      }
      return [];
    },
    { concurrency: BLOB_CONCURRENCY },
  );
  return fetched.flat();
}

function chunks(names: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(names.length / BLOB_CONCURRENCY);
  return Array.from({ length: count }, (_, index) =>
    names.slice(index * BLOB_CONCURRENCY, (index + 1) * BLOB_CONCURRENCY),
  );
}

function putInto(groups: Map<string, string[]>, group: string, name: string): void {
  const names = groups.get(group);
  if (names === undefined) groups.set(group, [name]);
  else names.push(name);
}
