import { OutageError } from '../errors/outageError.ts';
import { BOUNDARY_MS, BOUNDARY_PAGE, LEAST_BOUNDARY_MESSAGES, MAX_BOUNDARY_MESSAGES } from '../limits.ts';
import { joinSent, noBoundaries, type SentBoundaries } from './boundaries.ts';
import { BoundaryHandout } from './boundaryHandout.ts';
import { transactionId } from './commit.ts';
import type { FoundItem, ProgressOperation } from './progressStore.ts';
import type { Tracking } from './tracking.ts';
import {
  fromTransactionItem,
  type TrackedTransaction,
  toTransactionItem,
  transactionKey,
} from './transactionItem.ts';

/** Which try of an invocation this is, as the host tells where a function has a retry policy. */
export interface Attempt {
  /** 0 for the first. */
  readonly retryCount: number;
  readonly maxRetryCount: number;
}

export interface OutboxLimits {
  /** Messages of one run. */
  readonly most: number;
  /** The same after runs that failed. */
  readonly least: number;
  /** Transactions looked at a time. */
  readonly page: number;
}

/**
 * Hands out the boundaries of transactions at least once. The host sends what an invocation leaves only after it has
 * returned, and a failure there fails the invocation. So what was handed out is noted as sent only when the next
 * invocation is told that it is no repetition of the last. One that would not be repeated hands out nothing. What
 * a process has forgotten is handed out again. All this holds where every invocation of an instance comes to the same
 * process: `readSettings` sees to it.
 */
export class BoundaryOutbox {
  readonly #tracking: Tracking;
  readonly #limits: OutboxLimits;
  /** What the last attempt has left to the host. */
  #handedOut: Pick<BoundaryHandout, 'counts' | 'sent'> = new BoundaryHandout(0);
  /** Sent, and not noted yet, by key of the transaction. */
  readonly #sent = new Map<string, SentBoundaries>();
  /** A hub that refuses much at once may take less: the messages of one run. */
  #most: number;
  /** The database that was looked at last. */
  #last = '';

  constructor(tracking: Tracking, limits: OutboxLimits = outboxLimits) {
    this.#tracking = tracking;
    this.#limits = limits;
    this.#most = limits.most;
  }

  /**
   * Must come first in an invocation, before anything that can fail.
   * @param attempt undefined when nobody would repeat it: an invocation by hand.
   * @returns how many messages of each database are known to be sent since.
   */
  start(attempt: Attempt | undefined): ReadonlyMap<string, number> {
    if (attempt === undefined) return new Map();
    const { counts, sent } = this.#handedOut;
    this.#handedOut = new BoundaryHandout(0);
    if (sent.size === 0) return counts;
    const { least, most } = this.#limits;
    if (attempt.retryCount > 0) {
      this.#most = Math.max(least, Math.floor(this.#most / 2));
      return new Map();
    }
    this.#most = Math.min(most, this.#most * 2);
    // More than what is known to be sent of it already: else it would not have been handed out.
    for (const [key, one] of sent) this.#sent.set(key, one);
    return counts;
  }

  /**
   * Notes what was sent, and gives what is to be sent next: the oldest of each database first, the databases in turn.
   * Never throws for what goes wrong with one of them.
   */
  async take(
    databases: readonly string[],
    attempt: Attempt | undefined,
    signal: AbortSignal,
  ): Promise<BoundaryHandout> {
    if (attempt === undefined || attempt.retryCount >= attempt.maxRetryCount) return new BoundaryHandout(0);
    const handout = new BoundaryHandout(this.#most);
    const until = performance.now() + BOUNDARY_MS;
    const { least, page } = this.#limits;
    const most = Math.min(page, Math.max(least, Math.ceil(this.#most / Math.max(1, databases.length))));
    const unseen = new Set(this.#sent.keys());
    let turns: readonly Turn[] = inTurn(databases, this.#last).map((db) => ({ db, after: undefined }));
    let hasSeenAll = true;
    while (turns.length > 0) {
      const next: Turn[] = [];
      for (const turn of turns) {
        if (signal.aborted || performance.now() >= until) return handout;
        if (!handout.isFull) this.#last = turn.db;
        const { after, noted } = await this.#look(turn, most, handout, unseen, signal);
        if (after === undefined) continue;
        // What is to be noted comes first, and not all of it may have been on this page.
        if (noted || !handout.isFull) next.push({ db: turn.db, after });
        else hasSeenAll = false;
      }
      turns = next;
    }
    // What another process has noted, and what is gone, is not found any more.
    if (hasSeenAll && handout.failures.length === 0) for (const key of unseen) this.#sent.delete(key);
    return handout;
  }

  /** Must come last in an invocation: nothing fails after it, and the host sends exactly this. */
  handOut({ messages, counts, sent }: BoundaryHandout): readonly string[] {
    this.#handedOut = { counts, sent };
    return messages;
  }

  /** Looks at one page. @returns after what the next begins, if there is one, and whether something was noted. */
  async #look(
    { db, after }: Turn,
    most: number,
    handout: BoundaryHandout,
    unseen: Set<string>,
    signal: AbortSignal,
  ): Promise<{ readonly after: string | undefined; readonly noted: boolean }> {
    const { store, options } = this.#tracking;
    const notes: ProgressOperation[] = [];
    try {
      const found = await store.unsent(db, most, after, signal);
      if (after === undefined) handout.waitingSince.set(db, undefined);
      for (const item of found) {
        const known = readItem(item, handout);
        if (known === undefined) continue;
        const id = transactionId(known.commit);
        const pkkey = transactionKey(known.db, known.commit);
        const sent = this.#sent.get(pkkey);
        unseen.delete(pkkey);
        const tracked = sent === undefined ? known : withSent(known, sent);
        if (sent !== undefined)
          notes.push({
            kind: 'replace',
            id,
            pkkey,
            etag: item.etag,
            item: toTransactionItem(tracked, options),
          });
        handout.add(tracked);
      }
      await this.#note(notes, signal);
      return { after: found.length < most ? undefined : commitOf(found.at(-1)), noted: notes.length > 0 };
    } catch (error) {
      handout.failures.push(error);
      return { after: undefined, noted: false };
    }
  }

  /** What could not be noted is noted by the next run. */
  async #note(notes: readonly ProgressOperation[], signal: AbortSignal): Promise<void> {
    if (notes.length === 0) return;
    const outcomes = await this.#tracking.store.execute(notes, signal);
    for (const [index, { pkkey }] of notes.entries()) {
      const kind = outcomes[index]?.kind;
      if (kind === 'ok' || kind === 'missing') this.#sent.delete(pkkey);
    }
    if (signal.aborted)
      throw new OutageError('Cosmos DB: noting sent boundaries took too long; it is tried again');
  }
}

const outboxLimits: OutboxLimits = {
  most: MAX_BOUNDARY_MESSAGES,
  least: LEAST_BOUNDARY_MESSAGES,
  page: BOUNDARY_PAGE,
};

interface Turn {
  readonly db: string;
  readonly after: string | undefined;
}

/** Begins after the one that was looked at last, so that each comes first at some time. */
function inTurn(databases: readonly string[], last: string): readonly string[] {
  const sorted = databases.toSorted();
  const next = sorted.findIndex((db) => db > last);
  return next <= 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
}

/** One that cannot be read holds up no other. */
function readItem({ stored }: FoundItem, { failures }: BoundaryHandout): TrackedTransaction | undefined {
  try {
    return fromTransactionItem(stored);
  } catch (error) {
    failures.push(error);
    return undefined;
  }
}

function commitOf(item: FoundItem | undefined): string | undefined {
  const { commit } = (item?.stored ?? {}) as { readonly commit?: unknown };
  return typeof commit === 'string' ? commit : undefined;
}

function withSent(tracked: TrackedTransaction, sent: SentBoundaries): TrackedTransaction {
  const { boundaries = noBoundaries } = tracked;
  return { ...tracked, boundaries: { ...boundaries, sent: joinSent(boundaries.sent, sent) } };
}
