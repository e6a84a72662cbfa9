import type { Random } from '../../../local/simulation/random.ts';
import { READ_LAG_MS } from '../../../src/limits.ts';
import type {
  FoundItem,
  ProgressOperation,
  ProgressOutcome,
  ProgressStore,
} from '../../../src/transactions/progressStore.ts';
import type { MemoryProgress, StoredItem } from '../../support/memoryProgress.ts';

interface Version {
  readonly item: StoredItem;
  readonly etag: string;
  /** Writes are numbered in their order. */
  readonly number: number;
  readonly at: number;
}

/** All that was ever written of the items, for those who read late. */
export class Versions {
  readonly #byKey = new Map<string, Version[]>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(item: StoredItem, etag: string): void {
    this.#count += 1;
    const key = keyOf(item);
    const version = { item, etag, number: this.#count, at: this.#now() };
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), version]);
  }

  /** Number of the newest write. */
  get count(): number {
    return this.#count;
  }

  get keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }

  /** Those that a read can find now, the newest last, and undefined first where it can find nothing yet. @param floor write that it sees for sure. */
  readable(key: string, floor: number): readonly (Version | undefined)[] {
    const all = this.#byKey.get(key) ?? [];
    const old = this.#now() - READ_LAG_MS;
    const first = all.findLastIndex(({ number, at }) => number <= floor || at < old);
    return first < 0 ? [undefined, ...all] : all.slice(first);
  }
}

/**
 * One client's sight of the container under session consistency, where each item can be in a physical partition of its
 * own: it sees what it has written or seen itself, and what others have written up to {@link READ_LAG_MS} late.
 */
export class LaggingProgress implements ProgressStore {
  readonly #inner: MemoryProgress;
  readonly #versions: Versions;
  readonly #random: Random;
  /** By key of an item, the write that this client has seen. */
  readonly #seen = new Map<string, number>();
  #floor = 0;

  constructor(inner: MemoryProgress, versions: Versions, random: Random) {
    this.#inner = inner;
    this.#versions = versions;
    this.#random = random;
  }

  /** Waiting for {@link READ_LAG_MS} does that. @param floor number of a write. */
  hasSeen(floor: number): void {
    this.#floor = Math.max(this.#floor, floor);
  }

  async execute(operations: readonly ProgressOperation[]): Promise<readonly ProgressOutcome[]> {
    const outcomes: ProgressOutcome[] = [];
    for (const operation of operations) outcomes.push(await this.#run(operation));
    return outcomes;
  }

  async open(db: string, most: number): Promise<readonly FoundItem[]> {
    return this.#of(db, most, ({ status }) => status === 'BEGIN');
  }

  async unsent(): Promise<readonly FoundItem[]> {
    return [];
  }

  async unnumbered(db: string, most: number, after = ''): Promise<readonly FoundItem[]> {
    return this.#of(db, most, ({ unnumbered, commit }) => unnumbered === true && String(commit) > after);
  }

  async databases(known: readonly string[], most: number): Promise<readonly string[]> {
    return this.#find(({ status, db }) => status === 'BEGIN' && !known.includes(String(db)))
      .slice(0, most)
      .map(({ item }) => String(item['db']));
  }

  async carrying(most: number): Promise<readonly unknown[]> {
    return this.#find(({ carries }) => carries === true)
      .sort((a, b) => b.number - a.number)
      .slice(0, most)
      .map(({ item }) => (item['_ces'] as { readonly carried: unknown }).carried);
  }

  async #run(operation: ProgressOperation): Promise<ProgressOutcome> {
    const key = keyOf(operation);
    if (operation.kind === 'read') {
      const found = this.#see(key);
      return found === undefined ? { kind: 'missing' } : { kind: 'ok', stored: found.item, etag: found.etag };
    }
    const [outcome] = await this.#inner.execute([operation]);
    if (outcome?.kind === 'ok') this.#seen.set(key, this.#versions.count);
    return outcome ?? { kind: 'unknown', reason: 'no answer' };
  }

  #of(db: string, most: number, isSought: (item: StoredItem) => boolean): readonly FoundItem[] {
    return this.#find((item) => item['db'] === db && isSought(item))
      .slice(0, most)
      .map(({ item, etag }) => ({ stored: item, etag }));
  }

  #find(isSought: (item: StoredItem) => boolean): Version[] {
    return this.#versions.keys
      .flatMap((key) => this.#see(key) ?? [])
      .filter(({ item }) => isSought(item))
      .sort((a, b) => (String(a.item['commit']) < String(b.item['commit']) ? -1 : 1));
  }

  #see(key: string): Version | undefined {
    const readable = this.#versions.readable(key, Math.max(this.#floor, this.#seen.get(key) ?? 0));
    const found = this.#random.chance(0.3) ? this.#random.pick([...readable.keys()]) : readable.length - 1;
    const version = readable[found];
    if (version !== undefined) this.#seen.set(key, version.number);
    return version;
  }
}

function keyOf({ pkkey, id }: Pick<StoredItem, 'pkkey' | 'id'>): string {
  return `${pkkey}/${id}`;
}
