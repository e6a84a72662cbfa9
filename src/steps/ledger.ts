import { assert } from '../errors/bug.ts';
import type { Message } from '../model/message.ts';

/**
 * How a message can end. `excluded`: REPLICA_CONFIG leaves it out, or it says nothing of a row. `withheld`: not at all, since a replay may not
 * create what is missing.
 */
export type Fate = 'applied' | 'superseded' | 'excluded' | 'parked' | 'deadLettered' | 'withheld';

/** Keeps the books of a batch: every message ends in exactly one way. */
export class Ledger {
  /** Messages entered that are not of this batch: they had been parked by earlier ones. */
  fromEarlierBatches = 0;
  readonly #fates = new Map<Message, Fate | undefined>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) this.#fates.set(message, undefined);
  }

  enter(message: Message, fate: Fate): void {
    if (!this.#fates.has(message)) {
      this.fromEarlierBatches += 1;
      return;
    }
    assert(this.#fates.get(message) === undefined, 'a message was accounted for twice');
    this.#fates.set(message, fate);
  }

  /** @throws Bug when a message is not accounted for. */
  close(): Readonly<Record<Fate, number>> {
    const counts: Record<Fate, number> = {
      applied: 0,
      superseded: 0,
      excluded: 0,
      parked: 0,
      deadLettered: 0,
      withheld: 0,
    };
    for (const fate of this.#fates.values()) {
      assert(fate !== undefined, 'a message of the batch is not accounted for');
      counts[fate] += 1;
    }
    return counts;
  }
}
