import type { Random } from '../../../local/simulation/random.ts';
import type { History } from './history.ts';

export interface HubMessage {
  readonly body: Buffer;
  /** When it was sent, in milliseconds of the simulated clock. */
  readonly sentAt: number;
}

/** The partitions of a hub; the sender goes through the history, each partition gets its part in that order. */
export class Hub {
  readonly queues: readonly HubMessage[][];
  /** Message that the next batch of each partition begins with. */
  readonly checkpoints: number[];
  readonly #toSend: readonly ToSend[];
  readonly #random: Random;
  readonly #scheme: string;
  /** Segments that turn up when all else has been sent. */
  readonly #astray: Buffer[] = [];
  #sent = 0;

  constructor(history: History, partitions: number, random: Random) {
    this.queues = Array.from({ length: partitions }, () => []);
    this.checkpoints = this.queues.map(() => 0);
    this.#random = random;
    this.#scheme = random.pick(['any', 'any', 'round', 'db', 'table', 'few']);
    this.#toSend = history.transactions.flatMap(({ db, lsn, changes }) =>
      changes.flatMap(({ table, messages }) =>
        messages.map((body, index) => {
          // The event waits in the parking for it, while all others go by.
          const astray = index > 0 && random.chance(0.3);
          return { body, db, table, lsn, astray };
        }),
      ),
    );
  }

  get allSent(): boolean {
    return this.#sent === this.#toSend.length && this.#astray.length === 0;
  }

  /** Nothing is left to be delivered. */
  get empty(): boolean {
    return this.checkpoints.every((next, partition) => next >= (this.queues[partition]?.length ?? 0));
  }

  /** When the oldest message was sent that is still to be handled; undefined when none is. @param but partitions to leave out. */
  oldest(but: ReadonlyMap<number, unknown>): number | undefined {
    const waiting = this.checkpoints.flatMap((next, partition) =>
      but.has(partition) ? [] : (this.queues[partition]?.[next]?.sentAt ?? []),
    );
    return waiting.length === 0 ? undefined : Math.min(...waiting);
  }

  /** Sends what is left of the transaction that it is in the middle of. */
  sendRest(now: number): void {
    const lsn = this.#toSend[this.#sent - 1]?.lsn;
    while (lsn !== undefined && this.#toSend[this.#sent]?.lsn === lsn) this.send(1, now);
  }

  send(count: number, now: number): void {
    if (this.#sent === this.#toSend.length) {
      const body = this.#astray.shift();
      if (body !== undefined) this.#put(this.#random.integer(0, this.queues.length - 1), body, now);
    }
    for (const one of this.#toSend.slice(this.#sent, this.#sent + count)) {
      const { body, astray } = one;
      const partition = this.#partitionOf(one.db, one.table);
      this.#sent += 1;
      if (astray) {
        this.#astray.push(body);
        continue;
      }
      this.#put(partition, body, now);
      // Sent again: to where it went, or, by a sender that takes them in turn, elsewhere.
      if (this.#random.chance(0.05)) this.#put(partition, body, now);
      if (this.#random.chance(0.05)) this.#put(this.#random.integer(0, this.queues.length - 1), body, now);
      // A run of what the partition has is sent again.
      if (this.#random.chance(0.02)) {
        const queue = this.queues[partition] ?? [];
        for (const { body: again } of queue.slice(-this.#random.integer(1, 8)))
          this.#put(partition, again, now);
      }
    }
  }

  #put(partition: number, body: Buffer, sentAt: number): void {
    this.queues[partition]?.push({ body, sentAt });
  }

  #partitionOf(db: string, table: string): number {
    const { length } = this.queues;
    const nameOf = { db, table: db + table }[this.#scheme];
    if (nameOf !== undefined) return [...nameOf].reduce((sum, c) => sum + c.charCodeAt(0), 0) % length;
    if (this.#scheme === 'round') return this.#sent % length;
    // Some partitions stay empty.
    return this.#random.integer(0, this.#scheme === 'few' ? Math.floor((length - 1) / 2) : length - 1);
  }
}

interface ToSend {
  readonly body: Buffer;
  readonly db: string;
  readonly table: string;
  readonly lsn: string;
  readonly astray: boolean;
}
