import { hash } from './hash.ts';

const TWO_POW_32 = 2 ** 32;
const WARM_UP_ROUNDS = 16;

/**
 * Seeded random numbers (Chris Doty-Humphrey's sfc32). Every part of the simulation has a stream of its own,
 * so that options of one part do not change what another part makes.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream: string) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / TWO_POW_32) >>> 0;
    this.#c = hash(stream);
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) this.next();
  }

  /** 0 (included) to 1 (excluded). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / TWO_POW_32;
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.integer(0, values.length - 1)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  digits(count: number): string {
    let text = '';
    for (let made = 0; made < count; made += 1) text += this.integer(0, 9);
    return text;
  }

  hex(count: number): string {
    let text = '';
    for (let made = 0; made < count; made += 1) text += this.integer(0, 15).toString(16);
    return text;
  }

  /** Random version 4 GUID in lower case. */
  guid(): string {
    const variant = this.pick(['8', '9', 'a', 'b']);
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }
}
