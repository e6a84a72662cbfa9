import type { Deadline } from '../deadline.ts';
import { DataError } from '../errors/dataError.ts';
import { LARGE_VALUE_AGE_SECONDS, MAX_BULK_OPERATIONS } from '../limits.ts';
import type { DocumentId } from '../replica/documentId.ts';
import { isReference } from '../replica/largeValue.ts';
import { LARGE_VALUE_SLICES, slicePrefix } from '../replica/largeValueName.ts';
import type { FoundValue } from '../replica/largeValues.ts';
import { readStoredItem } from '../replica/storedItem.ts';
import type { Services } from '../services.ts';
import { readItems } from './readItems.ts';

/** What a sweep of large values found and did: counts, no names. */
export interface LargeValueReport {
  /** Values seen: those of a share of the rows. */
  readonly found: number;
  /** Rows that were read, because they have values old enough to be removed. */
  readonly rows: number;
  /** Values removed: no item refers to them. */
  readonly removed: number;
  /** Rows that Cosmos DB did not tell of; they are left as they are. */
  readonly unanswered: number;
  /** False when the time was over before everything was seen. */
  readonly finished: boolean;
}

type OldValues = ReadonlyMap<DocumentId, readonly FoundValue[]>;

/**
 * Removes large values that no item refers to: they were replaced, their row was deleted, or a crash came between
 * them and their item. Each call takes one slice of the rows of every container, the next by the clock, so that all
 * are seen within {@link LARGE_VALUE_SLICES} calls and the cost is spread.
 *
 * A value that an item refers to, or a batch is about to refer to, stays: its item is read after the value was found
 * to be too old for that, and a value that is written again meanwhile is not removed. See `storeValues`.
 * @throws OutageError when Blob storage does not do its work.
 */
export async function sweepLargeValues(
  services: Pick<Services, 'largeValues' | 'settings' | 'store'>,
  slice: number,
  deadline: Deadline,
): Promise<LargeValueReport> {
  const counts = { found: 0, rows: 0, removed: 0, unanswered: 0 };
  const { signal } = deadline;
  for (const { container, folder } of services.settings.rules.valueFolders) {
    let old = new Map<DocumentId, FoundValue[]>();
    for await (const page of pagesUntil(
      services.largeValues.list(slicePrefix(folder, slice), signal),
      signal,
    )) {
      counts.found += page.length;
      for (const value of page) {
        if (value.ageSeconds <= LARGE_VALUE_AGE_SECONDS) continue;
        // Names are sorted, so the values of a row come one after the other.
        if (old.size === MAX_BULK_OPERATIONS && !old.has(value.id)) {
          await sweepRows(old, container, services, signal, counts);
          old = new Map();
        }
        old.set(value.id, [...(old.get(value.id) ?? []), value]);
      }
    }
    await sweepRows(old, container, services, signal, counts);
  }
  return { ...counts, finished: !signal.aborted };
}

/** The slice whose turn it is. @param everyMs time between two sweeps, in milliseconds. */
export function sliceAt(now: Date, everyMs: number): number {
  return Math.floor(now.getTime() / everyMs) % LARGE_VALUE_SLICES;
}

type Counts = { -readonly [Count in keyof Omit<LargeValueReport, 'finished'>]: number };

async function sweepRows(
  old: OldValues,
  container: string | undefined,
  { largeValues, store }: Pick<Services, 'largeValues' | 'store'>,
  signal: AbortSignal,
  counts: Counts,
): Promise<void> {
  if (old.size === 0 || signal.aborted) return;
  const items = await readItems([...old.keys()], container, store, signal);
  for (const [id, values] of old) {
    const item = items.get(id);
    counts.rows += 1;
    if (item === undefined) {
      counts.unanswered += 1;
      continue;
    }
    const used = item === 'missing' ? nothing : referencesOf(item.stored);
    // Someone else's item says nothing of our values.
    if (used === undefined) continue;
    for (const value of values) {
      if (used.has(value.name) || signal.aborted) continue;
      if (await largeValues.remove(value, signal)) counts.removed += 1;
    }
  }
}

const nothing: ReadonlySet<string> = new Set();

function referencesOf(stored: unknown): ReadonlySet<string> | undefined {
  try {
    const values = Object.values(readStoredItem(stored).row ?? {});
    return new Set(values.filter(isReference).map(({ $blob }) => $blob));
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

async function* pagesUntil(
  pages: AsyncIterable<readonly FoundValue[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundValue[]> {
  if (signal.aborted) return;
  for await (const page of pages) {
    yield page;
    if (signal.aborted) return;
  }
}
