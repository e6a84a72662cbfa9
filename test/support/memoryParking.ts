import assert from 'node:assert/strict';
import { type LogicalId, parseLogicalId } from '../../src/model/logicalId.ts';
import type { Message } from '../../src/model/message.ts';
import type { Segment } from '../../src/model/segment.ts';
import type { FoundGroup, ParkedGroup, Parking } from '../../src/parking/parking.ts';

export interface ParkingCall {
  readonly name: Exclude<keyof Parking, 'groups'>;
  readonly event: LogicalId;
  /** Of `park` and `fetch`. */
  readonly index?: number;
}

/** Parked segments in memory, shared by all services that are given the same one. */
export class MemoryParking implements Parking {
  /** Every call so far. */
  readonly calls: ParkingCall[] = [];
  /** Awaited before each call; a test can wait in it, or throw as an outage does. */
  before: (call: ParkingCall) => Promise<void> = async () => {};
  /** What a listing says of a message; a test can make small ones look large. */
  bytesOf: (message: Message) => number = ({ body }) => body.length;
  /** What the clock of the storage shows. */
  now = new Date('2026-08-07T12:00:00Z');
  readonly #groups = new Map<string, Map<number, Parked>>();
  readonly #released = new Map<string, Date>();

  async park({ logicalId, index, final }: Segment, message: Message): Promise<boolean> {
    await this.#enter({ name: 'park', event: logicalId, index });
    const group = this.#groups.get(logicalId.text) ?? new Map();
    this.#groups.set(logicalId.text, group);
    if (group.has(index)) return false;
    const copy = { body: Buffer.from(message.body), source: { ...message.source } };
    group.set(index, { message: copy, final, bytes: this.bytesOf(copy), parkedAt: this.now });
    return true;
  }

  async list(event: LogicalId): Promise<ParkedGroup> {
    await this.#enter({ name: 'list', event });
    const group = this.#groups.get(event.text) ?? new Map<number, Parked>();
    return {
      segments: [...group].map(([index, { final, bytes }]) => ({ index, final, bytes })),
      released: this.#released.has(event.text),
    };
  }

  async fetch(event: LogicalId, index: number): Promise<Message | undefined> {
    await this.#enter({ name: 'fetch', event, index });
    return this.#groups.get(event.text)?.get(index)?.message;
  }

  async markReleased(event: LogicalId): Promise<void> {
    await this.#enter({ name: 'markReleased', event });
    this.#released.set(event.text, this.now);
  }

  async remove(event: LogicalId, indexes: readonly number[]): Promise<void> {
    await this.#enter({ name: 'remove', event });
    for (const index of indexes) this.#groups.get(event.text)?.delete(index);
  }

  async forgetReleased(event: LogicalId): Promise<void> {
    await this.#enter({ name: 'forgetReleased', event });
    this.#released.delete(event.text);
  }

  async *groups(): AsyncGenerator<FoundGroup> {
    // In the order of names, as far as it is there when its turn comes.
    for (const text of [...new Set([...this.#groups.keys(), ...this.#released.keys()])].sort()) {
      const event = parseLogicalId(text);
      assert.ok(event !== undefined);
      const segments = [...(this.#groups.get(text) ?? [])]
        .map(([index, { final, bytes, parkedAt }]) => ({ index, final, bytes, parkedAt }))
        .sort((a, b) => a.index - b.index);
      const releasedAt = this.#released.get(text);
      if (segments.length > 0 || releasedAt !== undefined) yield { event, segments, releasedAt };
    }
  }

  /** Logical ids of the events that are noted as applied. */
  released(): string[] {
    return [...this.#released.keys()];
  }

  /** Places that are taken, such as `<logical id>#0`. */
  parked(): string[] {
    return [...this.#groups].flatMap(([event, group]) =>
      [...group.keys()].map((index) => `${event}#${index}`),
    );
  }

  async #enter(call: ParkingCall): Promise<void> {
    this.calls.push(call);
    await this.before(call);
  }
}

interface Parked {
  readonly message: Message;
  readonly final: boolean;
  readonly bytes: number;
  readonly parkedAt: Date;
}
