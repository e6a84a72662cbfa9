import { Deadline } from '../../src/deadline.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import type { Lsn } from '../../src/model/lsn.ts';
import { type Attempt, BoundaryOutbox, type OutboxLimits } from '../../src/transactions/boundaryOutbox.ts';
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

const options = { partitions: 1, idleMs: 1000, withOrder: false, ttlSeconds: 60 };
const MAX_RETRIES = 2;
const { signal } = new AbortController();
export const DATABASES = ['crm', 'shop'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** Two processes with a host each that send the boundaries of one container's transactions to one hub. */
export class World {
  readonly store = new MemoryProgress();
  /** Bodies of the messages, in their order. */
  readonly hub: string[] = [];
  /** Messages of each database that a process took for sent. */
  readonly told = new Map<string, number>();
  readonly #limits: OutboxLimits | undefined;
  #outboxes: BoundaryOutbox[];
  #isOn = true;
  #queryFails = false;
  #clock = 1000;

  /** @param limits those of the app unless given. */
  constructor(limits?: OutboxLimits) {
    this.#limits = limits;
    this.#outboxes = [this.#started(), this.#started()];
  }

  async change(transaction: number, number: number, db: DatabaseName = 'shop'): Promise<void> {
    await this.#record(db, [{ transaction, number }]);
  }

  /** A change in each of so many transactions. */
  async changes(transactions: number, db: DatabaseName = 'shop'): Promise<void> {
    await this.#record(
      db,
      Array.from({ length: transactions }, (_, transaction) => ({ transaction, number: 1 })),
    );
  }

  async end(transaction: number, db: DatabaseName = 'shop'): Promise<void> {
    const commit = commitOf(0, lsnOf(transaction));
    const open = (await this.store.open(db, 100)).filter(
      ({ stored }) => (stored as { commit?: string }).commit === commit,
    );
    const holds = { commits: [], oldest: undefined };
    this.#clock += 1;
    const now = this.#clock;
    const deadline = new Deadline(60);
    const tracking = this.#tracked(this.store);
    await moveWatermark({ db, open, judge: () => 'position', holds, now }, tracking, deadline);
    deadline.end();
  }

  /** Whether the hub is in the settings: all processes start anew. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    this.#outboxes = [this.#started(), this.#started()];
  }

  /** Both processes run at once, since the lock of the timer was lost; their hosts send in between each other. */
  async both(): Promise<void> {
    if (!this.#isOn) return;
    const attempt = { retryCount: 0, maxRetryCount: MAX_RETRIES };
    const [first = [], second = []] = await Promise.all(
      this.#outboxes.map(async (outbox) => {
        outbox.start(attempt);
        return outbox.handOut(await outbox.take(DATABASES, attempt, signal));
      }),
    );
    for (let index = 0; index < Math.max(first.length, second.length); index += 1)
      this.hub.push(...first.slice(index, index + 1), ...second.slice(index, index + 1));
  }

  /**
   * The timer of one process: an attempt, and one more where that failed and the host lives.
   * @param byHand whether someone calls the function between the two.
   */
  async run(process: number, faults: readonly Fault[], byHand = false): Promise<void> {
    if (!this.#isOn) return;
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
    if (!this.#isOn) return;
    const outbox = this.#outboxes[process];
    outbox?.start(undefined);
    const handout = await outbox?.take(DATABASES, undefined, signal);
    if (handout !== undefined && handout.messages.length > 0)
      throw new Error('a run by hand hands out nothing');
  }

  async #attempt(
    process: number,
    attempt: Attempt,
    fault: Fault = 'none',
  ): Promise<'done' | 'failed' | 'gone'> {
    const outbox = this.#outboxes[process];
    if (outbox === undefined) throw new Error(`there is no process ${process}`);
    for (const [db, count] of outbox.start(attempt)) this.told.set(db, (this.told.get(db) ?? 0) + count);
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
      const handout = await outbox.take(DATABASES, attempt, signal);
      // As in `watermark`.
      const isLate = attempt.retryCount > 0 && handout.messages.length > 0;
      return handout.failures.length > 0 && !isLate ? undefined : outbox.handOut(handout);
    } finally {
      this.#queryFails = false;
      this.store.fault = () => undefined;
    }
  }

  async #record(
    db: DatabaseName,
    changes: readonly { readonly transaction: number; readonly number: number }[],
  ): Promise<void> {
    const deadline = new Deadline(60);
    // The clock of another machine: first sight can become earlier.
    this.#clock -= 1;
    const tracked = changes.map(({ transaction, number }) => ({
      db,
      epoch: 0,
      lsn: lsnOf(transaction),
      number,
      table: `${db}.dbo.T`,
      time: '2026-08-07T16:25:00.890Z',
    }));
    await this.#tracked(this.store).record({ changes: tracked }, deadline);
    deadline.end();
  }

  #started(): BoundaryOutbox {
    const { store } = this;
    const faulty: ProgressStore = {
      execute: (operations) => store.execute(operations),
      open: (db, most) => store.open(db, most),
      unnumbered: (db, most, after) => store.unnumbered(db, most, after),
      databases: (known, most) => store.databases(known, most),
      carrying: (most) => store.carrying(most),
      // Of one database only: the others are to be told of all the same.
      unsent: (db, most, after) => {
        if (this.#queryFails && db === 'crm') throw new OutageError('test');
        return store.unsent(db, most, after);
      },
    };
    return new BoundaryOutbox(this.#tracked(faulty), this.#limits);
  }

  #tracked(store: ProgressStore): Tracking {
    return new Tracking(store, { ...options, sendsBoundaries: this.#isOn }, () => this.#clock);
  }
}

function lsnOf(transaction: number): Lsn {
  return (transaction + 1).toString(16).toUpperCase().padStart(20, '0') as Lsn;
}
