import { setTimeout as sleep } from 'node:timers/promises';
import { parseLsn } from '../model/lsn.ts';
import { watermarkKey } from './watermark.ts';

/** What {@link waitForWatermark} needs of a container of Cosmos DB: `Container` of its SDK has it. */
export interface WatermarkContainer {
  item(
    id: string,
    partitionKey: string,
  ): {
    read(): Promise<{ readonly resource?: unknown }>;
  };
}

export interface WaitOptions {
  /** Longest wait, in milliseconds. */
  readonly timeoutMs?: number;
  /** Between two looks, in milliseconds. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

export interface ReachedWatermark {
  /** Commit LSN, 20 hex digits. */
  readonly lsn: string;
  readonly time: string | null;
  /** What the replica lacks all the same: dead letters up to there, by reason code. */
  readonly exceptions: { readonly dead_letters: number; readonly reasons: Readonly<Record<string, number>> };
}

/** The watermark did not get there in time. */
export class WatermarkNotReached extends Error {
  override readonly name = 'WatermarkNotReached';
}

/**
 * Waits until the replica of a database is complete up to a commit LSN: every change up to there is applied, but for
 * the dead letters that the result names.
 * @param container the one of COSMOS_TRANSACTIONS_CONTAINER.
 * @param db name of the database in the replica.
 * @param lsn commit LSN: 20 hex digits, or in groups of 8, 8 and 4 as CES and Debezium write it.
 * @throws WatermarkNotReached after the time; RangeError for an LSN that is none; the SDK's errors.
 */
export async function waitForWatermark(
  container: WatermarkContainer,
  db: string,
  lsn: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, everyMs = DEFAULT_EVERY_MS, signal }: WaitOptions = {},
): Promise<ReachedWatermark> {
  const wanted = parseLsn(lsn);
  if (wanted === undefined) throw new RangeError('lsn is not 20 hex digits');
  for (let waited = 0; ; waited += everyMs) {
    signal?.throwIfAborted();
    const { resource } = await container.item('watermark', watermarkKey(db)).read();
    const found = resource as ReachedWatermark | undefined;
    if (typeof found?.lsn === 'string' && found.lsn >= wanted) {
      const { lsn: reached, time, exceptions } = found;
      return { lsn: reached, time, exceptions };
    }
    if (waited >= timeoutMs)
      throw new WatermarkNotReached(
        `the watermark is at ${found?.lsn ?? 'nothing yet'} after ${timeoutMs} ms`,
      );
    await sleep(everyMs, undefined, signal && { signal });
  }
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_EVERY_MS = 5_000;
