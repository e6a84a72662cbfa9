import { OutageError } from '../errors/outageError.ts';
import { MAX_BOUNDARY_TRANSACTIONS } from '../limits.ts';
import { joinSent, noBoundaries, type SentBoundaries } from './boundaries.ts';
import { boundaryMessages } from './boundaryMessage.ts';
import type { ProgressOperation } from './progressStore.ts';
import type { Tracking } from './tracking.ts';
import { fromTransactionItem, type TrackedTransaction, toTransactionItem } from './transactionItem.ts';

/** Which try of an invocation this is, as the host tells where a function has a retry policy. */
export interface Attempt {
  /** 0 for the first. */
  readonly retryCount: number;
  readonly maxRetryCount: number;
}

/**
 * Hands out the boundaries of transactions at least once. The host sends what an invocation leaves only after it has
 * returned, and a failure there fails the invocation. So what was handed out is noted as sent only when the next
 * invocation is told that it is no repetition of the last. One that would not be repeated hands out nothing. What
 * a process has forgotten is handed out again.
 */
export class BoundaryOutbox {
  readonly #tracking: Tracking;
  /** Handed out by the last attempt, by key of the transaction. */
  #handedOut: Map<string, SentBoundaries> = new Map();
  /** Sent, and not noted yet. */
  #sent: Map<string, SentBoundaries> = new Map();

  constructor(tracking: Tracking) {
    this.#tracking = tracking;
  }

  /**
   * Must come first in an invocation, before anything that can fail.
   * @param attempt undefined when nobody would repeat it: an invocation by hand.
   */
  start(attempt: Attempt | undefined): void {
    if (attempt === undefined) return;
    if (attempt.retryCount === 0) join(this.#sent, this.#handedOut);
    this.#handedOut = new Map();
  }

  /**
   * Notes what was sent, and gives what is to be sent next: the oldest of each database first. Must come last.
   * @throws OutageError when Cosmos DB does not tell.
   */
  async take(
    databases: readonly string[],
    attempt: Attempt | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (attempt === undefined || attempt.retryCount >= attempt.maxRetryCount) return [];
    const { store, options } = this.#tracking;
    const most = Math.max(1, Math.floor(MAX_BOUNDARY_TRANSACTIONS / Math.max(1, databases.length)));
    const messages: string[] = [];
    const notes: ProgressOperation[] = [];
    const handedOut = new Map<string, SentBoundaries>();
    for (const db of databases) {
      // Those to note come first, and must not keep the others from being looked at.
      const found = await store.unsent(db, most + this.#sent.size, signal);
      let left = most;
      for (const { stored, etag } of found) {
        const known = fromTransactionItem(stored);
        if (known === undefined) continue;
        const { id, pkkey } = toTransactionItem(known, options);
        const sent = this.#sent.get(pkkey);
        const tracked = sent === undefined ? known : withSent(known, sent);
        if (sent !== undefined)
          notes.push({ kind: 'replace', id, pkkey, etag, item: toTransactionItem(tracked, options) });
        const more = boundaryMessages(tracked);
        if (more.length === 0 || left === 0) continue;
        left -= 1;
        messages.push(...more);
        const { boundaries = noBoundaries, end } = tracked;
        handedOut.set(pkkey, { begin: true, end: end === undefined ? 0 : boundaries.revision });
      }
    }
    await this.#note(notes, signal);
    // From here on nothing fails: the host sends exactly this.
    this.#handedOut = handedOut;
    return messages;
  }

  /** What could not be noted is noted by the next run; what is noted already, or out of sight, is forgotten. */
  async #note(notes: readonly ProgressOperation[], signal: AbortSignal): Promise<void> {
    const outcomes = notes.length === 0 ? [] : await this.#tracking.store.execute(notes, signal);
    const left = notes.flatMap(({ pkkey }, index) => {
      const sent = this.#sent.get(pkkey);
      return outcomes[index]?.kind === 'ok' || sent === undefined ? [] : [[pkkey, sent] as const];
    });
    this.#sent = new Map(left);
    if (signal.aborted)
      throw new OutageError('Cosmos DB: noting sent boundaries took too long; it is tried again');
  }
}

function withSent(tracked: TrackedTransaction, sent: SentBoundaries): TrackedTransaction {
  const { boundaries = noBoundaries } = tracked;
  return { ...tracked, boundaries: { ...boundaries, sent: joinSent(boundaries.sent, sent) } };
}

function join(into: Map<string, SentBoundaries>, more: ReadonlyMap<string, SentBoundaries>): void {
  for (const [key, sent] of more) {
    const known = into.get(key);
    into.set(key, known === undefined ? sent : joinSent(known, sent));
  }
}
