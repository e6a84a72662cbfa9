import pMap from 'p-map';
import { OutageError } from '../errors/outageError.ts';
import { LARGE_VALUE_AGE_SECONDS, LARGE_VALUE_CONCURRENCY, LARGE_VALUE_TRIES } from '../limits.ts';
import type { LargeValue, LargeValues } from './largeValues.ts';

/**
 * Stores values before the item that refers to them is written.
 * @param stored names of values that this batch has stored already; new ones are added.
 * @returns why it failed; undefined when all are durable.
 */
export async function storeValues(
  values: readonly LargeValue[],
  largeValues: LargeValues,
  stored: Set<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Equal texts of one version are one value.
  const missing = new Map(values.filter(({ name }) => !stored.has(name)).map((value) => [value.name, value]));
  try {
    await pMap(
      missing.values(),
      async (value) => {
        await storeValue(value, largeValues, signal);
        stored.add(value.name);
      },
      { concurrency: LARGE_VALUE_CONCURRENCY },
    );
    return undefined;
  } catch (error) {
    if (error instanceof OutageError) return error.message;
    throw error;
  }
}

/**
 * Stores a value so that no sweep takes it away before its item is written. A sweep removes what is older than the
 * limit, no item refers to, and was not written since it was listed. So what is found here is left alone only while
 * it is younger than half of the limit: by the time it is too old, the item has long been written. What is older is
 * written again, which the sweep notices.
 * @throws OutageError when Blob storage does not do its work.
 */
async function storeValue(value: LargeValue, largeValues: LargeValues, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < LARGE_VALUE_TRIES; attempt += 1) {
    if (await largeValues.create(value, signal)) return;
    const age = await largeValues.age(value.name, signal);
    // Gone: a sweep has removed it just now.
    if (age === undefined) continue;
    if (age >= LARGE_VALUE_AGE_SECONDS / 2) await largeValues.renew(value, signal);
    return;
  }
  throw new OutageError('Blob storage: a large value was not accepted, and none is in its place');
}
