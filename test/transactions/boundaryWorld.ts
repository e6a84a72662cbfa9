import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import type { Lsn } from '../../src/model/lsn.ts';
import { type Attempt, BoundaryOutbox } from '../../src/transactions/boundaryOutbox.ts';
import { commitOf } from '../../src/transactions/commit.ts';
import type { ProgressStore } from '../../src/transactions/progressStore.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { moveWatermark } from '../../src/watermark/moveWatermark.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';

export type Fault =
  | 'none'
  | 'fails before'
  | 'query fails'
  | 'note fails'
  | 'note is done and its answer lost'
  | 'worker dies before it returns'
  | 'worker dies after it returned'
  | 'host dies before it sends'
  | 'host dies amid sending'
  | 'host dies after sending'
  | 'hub refuses all'
  | 'hub refuses some';

const options = { partitions: 1, idleMs: 1000, withOrder: false, ttlSeconds: 60, sendsBoundaries: true };
const MAX_RETRIES = 1;
const { signal } = new AbortController();

/** Two processes with a host each that send the boundaries of one container's transactions to one hub. */
export class World {
  readonly store = new MemoryProgress();
  /** Bodies of the messages, in their order. */
  readonly hub: string[] = [];
  readonly #outboxes = [this.#started(), this.#started()];
  readonly #tracking = this.#tracked(this.store);
  #queryFails = false;

  async change(transaction: number, number: number): Promise<void> {
    await this.#record([{ transaction, number }]);
  }

  /** A change in each of so many transactions. */
  async changes(transactions: number): Promise<void> {
    await this.#record(
      Array.from({ length: transactions }, (_, transaction) => ({ transaction, number: 1 })),
    );
  }

  async end(transaction: number): Promise<void> {
    const commit = commitOf(0, lsnOf(transaction));
    const open = (await this.store.open('shop', 100)).filter(
      ({ stored }) => (stored as { commit?: string }).commit === commit,
    );
    const holds = { commits: [], oldest: undefined };
    const deadline = new Deadline(60);
    await moveWatermark(
      { db: 'shop', open, judge: () => 'position', holds, now: 2000 },
      this.#tracking,
      deadline,
    );
    deadline.end();
  }

  /**
   * The timer of one process: an attempt, and one more where that failed and the host lives.
   * @param byHand whether someone calls the function between the two.
   */
  async run(process: number, faults: readonly Fault[], byHand = false): Promise<void> {
    for (let retryCount = 0; retryCount <= MAX_RETRIES; retryCount += 1) {
      const end = await this.#attempt(
        process,
        { retryCount, maxRetryCount: MAX_RETRIES },
        faults[retryCount],
      );
      if (end !== 'failed') return;
      if (byHand) await this.byHand(process);
    }
  }

  /** Nobody repeats it, and what it hands out does not arrive. */
  async byHand(process: number): Promise<void> {
    this.#outboxes[process]?.start(undefined);
    await this.#outboxes[process]?.take(['shop'], undefined, signal);
  }

  async #attempt(
    process: number,
    attempt: Attempt,
    fault: Fault = 'none',
  ): Promise<'done' | 'failed' | 'gone'> {
    const outbox = this.#outboxes[process];
    if (outbox === undefined) throw new Error(`there is no process ${process}`);
    outbox.start(attempt);
    if (fault === 'fails before') return 'failed';
    const messages = await this.#take(outbox, attempt, fault);
    if (messages === undefined) return 'failed';
    const forget = (): void => {
      this.#outboxes[process] = this.#started();
    };
    switch (fault) {
      case 'worker dies before it returns':
        forget();
        return 'failed';
      case 'host dies before it sends':
        forget();
        return 'gone';
      case 'host dies amid sending':
        this.hub.push(...messages.slice(0, messages.length / 2));
        forget();
        return 'gone';
      case 'hub refuses all':
        return messages.length === 0 ? 'done' : 'failed';
      case 'hub refuses some':
        this.hub.push(...messages.slice(0, messages.length / 2));
        return messages.length === 0 ? 'done' : 'failed';
      case 'host dies after sending':
      case 'worker dies after it returned':
        this.hub.push(...messages);
        forget();
        return fault === 'host dies after sending' ? 'gone' : 'done';
      default:
        this.hub.push(...messages);
        return 'done';
    }
  }

  async #take(
    outbox: BoundaryOutbox,
    attempt: Attempt,
    fault: Fault,
  ): Promise<readonly string[] | undefined> {
    this.#queryFails = fault === 'query fails';
    const done = fault === 'note is done and its answer lost';
    if (done || fault === 'note fails')
      this.store.fault = () => ({ outcome: { kind: 'unknown', reason: 'test' }, done });
    try {
      return await outbox.take(['shop'], attempt, signal);
    } catch (error) {
      if (!(error instanceof OutageError)) throw error;
      return undefined;
    } finally {
      this.#queryFails = false;
      this.store.fault = () => undefined;
    }
  }

  async #record(
    changes: readonly { readonly transaction: number; readonly number: number }[],
  ): Promise<void> {
    const deadline = new Deadline(60);
    const tracked = changes.map(({ transaction, number }) => ({
      db: 'shop',
      epoch: 0,
      lsn: lsnOf(transaction),
      number,
      table: 'shop.dbo.T',
      time: null,
    }));
    await this.#tracking.record({ changes: tracked }, deadline);
    deadline.end();
  }

  #started(): BoundaryOutbox {
    const { store } = this;
    const faulty: ProgressStore = {
      execute: (operations) => store.execute(operations),
      open: (db, most) => store.open(db, most),
      databases: (known, most) => store.databases(known, most),
      carrying: (most) => store.carrying(most),
      unsent: (db, most) => {
        if (this.#queryFails) throw new OutageError('test');
        return store.unsent(db, most);
      },
    };
    return new BoundaryOutbox(this.#tracked(faulty));
  }

  #tracked(store: ProgressStore): Tracking {
    return new Tracking(store, options, () => 1000);
  }
}

function lsnOf(transaction: number): Lsn {
  return (transaction + 1).toString(16).toUpperCase().padStart(20, '0') as Lsn;
}
