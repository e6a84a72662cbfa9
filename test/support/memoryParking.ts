import type { LogicalId } from '../../src/model/logicalId.ts';
import type { Message } from '../../src/model/message.ts';
import type { Segment } from '../../src/model/segment.ts';
import type { ParkedGroup, Parking } from '../../src/parking/parking.ts';

export interface ParkingCall {
  readonly name: keyof Parking;
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
  readonly #groups = new Map<string, Map<number, { readonly message: Message; readonly final: boolean }>>();
  readonly #released = new Set<string>();

  async park({ logicalId, index, final }: Segment, message: Message): Promise<boolean> {
    await this.#enter({ name: 'park', event: logicalId, index });
    const group = this.#groups.get(logicalId.text) ?? new Map();
    this.#groups.set(logicalId.text, group);
    if (group.has(index)) return false;
    group.set(index, { message: { body: Buffer.from(message.body), source: { ...message.source } }, final });
    return true;
  }

  async list(event: LogicalId): Promise<ParkedGroup> {
    await this.#enter({ name: 'list', event });
    const group = this.#groups.get(event.text) ?? new Map<number, { readonly final: boolean }>();
    return {
      segments: [...group].map(([index, { final }]) => ({ index, final })),
      released: this.#released.has(event.text),
    };
  }

  async fetch(event: LogicalId, index: number): Promise<Message | undefined> {
    await this.#enter({ name: 'fetch', event, index });
    return this.#groups.get(event.text)?.get(index)?.message;
  }

  async markReleased(event: LogicalId): Promise<void> {
    await this.#enter({ name: 'markReleased', event });
    this.#released.add(event.text);
  }

  async remove(event: LogicalId, indexes: readonly number[]): Promise<void> {
    await this.#enter({ name: 'remove', event });
    for (const index of indexes) this.#groups.get(event.text)?.delete(index);
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
