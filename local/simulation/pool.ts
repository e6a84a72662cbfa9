import type { Random } from './random.ts';

/** The first so many entries are picked more often than the others. */
const HOT_ENTRIES = 8;
const HOT_SHARE = 0.3;

/** A map one can pick from at random in constant time. */
export class Pool<V> {
  readonly #entries: { readonly key: string; value: V }[] = [];
  readonly #positions = new Map<string, number>();

  get size(): number {
    return this.#entries.length;
  }

  has(key: string): boolean {
    return this.#positions.has(key);
  }

  get(key: string): V | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#entries[position]?.value;
  }

  set(key: string, value: V): void {
    const entry = this.#entries[this.#positions.get(key) ?? -1];
    if (entry !== undefined) {
      entry.value = value;
      return;
    }
    this.#positions.set(key, this.#entries.length);
    this.#entries.push({ key, value });
  }

  delete(key: string): void {
    const position = this.#positions.get(key);
    const last = this.#entries.at(-1);
    if (position === undefined || last === undefined) return;
    this.#entries[position] = last;
    this.#positions.set(last.key, position);
    this.#entries.pop();
    this.#positions.delete(key);
  }

  /** One of the values, a few of them much more often than the rest. */
  pick(random: Random): V {
    const among = random.chance(HOT_SHARE) ? Math.min(HOT_ENTRIES, this.size) : this.size;
    const entry = this.#entries[random.integer(0, among - 1)];
    if (entry === undefined) throw new RangeError('nothing to pick from');
    return entry.value;
  }

  values(): V[] {
    return this.#entries.map((entry) => entry.value);
  }
}
