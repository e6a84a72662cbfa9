import { setTimeout as sleep } from 'node:timers/promises';
import { type Lsn, parseLsn } from '../model/lsn.ts';
import { commitOf } from './commit.ts';
import { type WatermarkItem, watermarkKey } from './watermark.ts';

/** What {@link waitForWatermark} needs of a container of Cosmos DB: `Container` of its SDK has it. */
export interface WatermarkContainer {
  item(
    id: string,
    partitionKey: string,
  ): {
    read(options?: { readonly abortSignal?: AbortSignal }): Promise<{ readonly resource?: unknown }>;
  };
}

export interface WaitOptions {
  /** Longest wait, in milliseconds. */
  readonly timeoutMs?: number;
  /** Between two looks, in milliseconds. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
  /**
   * REPLICA_EPOCH of the database. Needed once it was raised: until the first transaction after that has ended, the
   * watermark is still one of the epoch before, whose LSNs may be higher.
   */
  readonly epoch?: number;
}

export interface ReachedWatermark {
  /** Commit LSN, 20 hex digits. */
  readonly lsn: string;
  readonly time: string | null;
  /** What the replica lacks all the same: dead letters up to there, by reason code, the newest by transaction, too. */
  readonly exceptions: WatermarkItem['exceptions'];
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
 * @throws WatermarkNotReached after the time; RangeError for an LSN that is none or a pause of less than 1 ms; the SDK's errors.
 */
export async function waitForWatermark(
  container: WatermarkContainer,
  db: string,
  lsn: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, everyMs = DEFAULT_EVERY_MS, signal, epoch }: WaitOptions = {},
): Promise<ReachedWatermark> {
  const wanted = parseLsn(lsn);
  if (wanted === undefined)
    throw new RangeError('lsn is not 20 hex digits, plain or in groups of 8:8:4, without 0x');
  if (!(everyMs >= 1)) throw new RangeError('everyMs is less than a millisecond');
  const started = performance.now();
  let slept = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { resource } = await container
      .item('watermark', watermarkKey(db))
      .read(signal && { abortSignal: signal });
    const found = resource as StoredWatermark | undefined;
    if (typeof found?.lsn === 'string' && hasReached(found, wanted, epoch)) {
      const { lsn: reached, time, exceptions } = found;
      return { lsn: reached, time, exceptions };
    }
    // Whichever is more: reading takes time, too.
    const left = timeoutMs - Math.max(slept, performance.now() - started);
    if (!(left > 0)) throw new WatermarkNotReached(`${whereIs(found, db, epoch)} after ${timeoutMs} ms`);
    // A timer leaves out fractions, and there would be one look after the other until the time is over.
    const pause = Math.ceil(Math.min(everyMs, left));
    await sleep(pause, undefined, signal && { signal });
    slept += pause;
  }
}

interface StoredWatermark extends ReachedWatermark {
  readonly commit?: string | null;
}

/** Where there is no item, the container or the name of the database may be another one. */
function whereIs(found: StoredWatermark | undefined, db: string, epoch: number | undefined): string {
  if (found === undefined) return `there is no watermark of ${db} in the container`;
  const at = epoch === undefined ? found.lsn : found.commit;
  return `the watermark of ${db} is at ${at ?? 'nothing yet'}`;
}

function hasReached({ lsn, commit }: StoredWatermark, wanted: Lsn, epoch: number | undefined): boolean {
  if (epoch === undefined) return lsn >= wanted;
  return typeof commit === 'string' && commit >= commitOf(epoch, wanted);
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_EVERY_MS = 5_000;
