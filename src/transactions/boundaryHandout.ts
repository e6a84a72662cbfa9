import { MAX_BOUNDARY_RUN_BYTES } from '../limits.ts';
import { noBoundaries, type SentBoundaries, unsentOf } from './boundaries.ts';
import { boundaryMessages } from './boundaryMessage.ts';
import { type TrackedTransaction, transactionKey } from './transactionItem.ts';

/** What one run hands out to the host. */
export class BoundaryHandout {
  /** As JSON, in their order. */
  readonly messages: string[] = [];
  /** What is sent once these are, by key of the transaction. */
  readonly sent = new Map<string, SentBoundaries>();
  /** Messages of each database. */
  readonly counts = new Map<string, number>();
  /** By database, when that which has waited longest began to wait, in milliseconds; undefined when nothing waits. */
  readonly waitingSince = new Map<string, number | undefined>();
  /** Why some database, or some transaction, was not looked at. */
  readonly failures: unknown[] = [];
  readonly #most: number;
  #bytes = 0;

  /** @param most messages; one more where a transaction has two. */
  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.messages.length >= this.#most || this.#bytes >= MAX_BOUNDARY_RUN_BYTES;
  }

  /** Takes what is still to be sent of a transaction, where there is room. */
  add(tracked: TrackedTransaction): void {
    const { db, commit, boundaries = noBoundaries, end } = tracked;
    const unsent = unsentOf(boundaries, end !== undefined);
    const since = unsent.includes('BEGIN') ? tracked.state.firstSeen : end?.at;
    if (unsent.length === 0 || since === undefined) return;
    this.waitingSince.set(db, Math.min(since, this.waitingSince.get(db) ?? Infinity));
    if (this.isFull) return;
    const messages = boundaryMessages(tracked);
    this.messages.push(...messages);
    this.counts.set(db, (this.counts.get(db) ?? 0) + messages.length);
    this.#bytes += messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0);
    this.sent.set(transactionKey(db, commit), {
      begin: true,
      end: end === undefined ? 0 : boundaries.revision,
    });
  }
}
