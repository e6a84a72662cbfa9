import type { FoundValue, LargeValue, LargeValues } from '../../src/replica/largeValues.ts';

/** Large values in memory, with a clock of the storage that stands still unless a test moves it. */
export class MemoryLargeValues implements LargeValues {
  /** Calls so far, by kind. */
  readonly calls = { create: 0, age: 0, renew: 0, list: 0, remove: 0 };
  /** Awaited before each call; a test can wait in it, or throw as an outage does. */
  before: (call: keyof MemoryLargeValues['calls'], name: string) => Promise<void> = async () => {};
  /** What the clock of the storage shows, in seconds. */
  now = 0;
  readonly pageSize = 3;
  readonly #blobs = new Map<string, LargeValue & { readonly writtenAt: number; readonly etag: string }>();
  #writes = 0;

  async create(value: LargeValue): Promise<boolean> {
    await this.#enter('create', value.name);
    if (this.#blobs.has(value.name)) return false;
    this.#write(value);
    return true;
  }

  async age(name: string): Promise<number | undefined> {
    await this.#enter('age', name);
    const blob = this.#blobs.get(name);
    return blob === undefined ? undefined : this.now - blob.writtenAt;
  }

  async renew(value: LargeValue): Promise<void> {
    await this.#enter('renew', value.name);
    this.#write(value);
  }

  async *list(prefix: string): AsyncGenerator<readonly FoundValue[]> {
    await this.#enter('list', prefix);
    const found = [...this.#blobs.values()]
      .filter(({ name }) => name.startsWith(prefix))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, id, etag, writtenAt }) => ({ name, id, etag, ageSeconds: this.now - writtenAt }));
    for (let start = 0; start < found.length; start += this.pageSize)
      yield found.slice(start, start + this.pageSize);
  }

  async remove({ name, etag }: FoundValue): Promise<boolean> {
    await this.#enter('remove', name);
    return this.#blobs.get(name)?.etag === etag && this.#blobs.delete(name);
  }

  names(): string[] {
    return [...this.#blobs.keys()].sort();
  }

  /** The text of a value; undefined when it is not there. */
  text(name: string): string | undefined {
    return this.#blobs.get(name)?.text;
  }

  #write(value: LargeValue): void {
    this.#writes += 1;
    this.#blobs.set(value.name, { ...value, writtenAt: this.now, etag: String(this.#writes) });
  }

  async #enter(call: keyof MemoryLargeValues['calls'], name: string): Promise<void> {
    this.calls[call] += 1;
    await this.before(call, name);
  }
}
