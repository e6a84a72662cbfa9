import type {
  FoundItem,
  ProgressOperation,
  ProgressOutcome,
  ProgressStore,
} from '../../src/transactions/progressStore.ts';

/** A container of tracking that behaves as Cosmos DB does; items are kept as JSON. */
export class MemoryProgress implements ProgressStore {
  /** Operations received, by kind, and queries. */
  readonly received = { create: 0, read: 0, replace: 0, open: 0, databases: 0, unsent: 0, carrying: 0 };
  /** Asked before each operation: what is answered instead, after the operation was done when `done` is set. */
  fault: (operation: ProgressOperation) => ProgressFault | undefined = () => undefined;
  /** Told of each item that is written, and its etag. */
  written: (item: StoredItem, etag: string) => void = () => {};
  readonly #items = new Map<string, { readonly json: string; readonly etag: string }>();
  #writes = 0;

  async execute(operations: readonly ProgressOperation[]): Promise<readonly ProgressOutcome[]> {
    return operations.map((operation) => {
      this.received[operation.kind] += 1;
      const fault = this.fault(operation);
      if (fault !== undefined && !fault.done) return fault.outcome;
      const outcome = this.#run(operation);
      return fault?.outcome ?? outcome;
    });
  }

  async open(db: string, most: number): Promise<readonly FoundItem[]> {
    this.received.open += 1;
    return this.#find(db, most, ({ status }) => status === 'BEGIN');
  }

  async unsent(db: string, most: number, after = ''): Promise<readonly FoundItem[]> {
    this.received.unsent += 1;
    return this.#find(db, most, ({ outbox, commit }) => outbox === true && String(commit) > after);
  }

  async unnumbered(db: string, most: number, after = ''): Promise<readonly FoundItem[]> {
    return this.#find(db, most, ({ unnumbered, commit }) => unnumbered === true && String(commit) > after);
  }

  async databases(known: readonly string[], most: number): Promise<readonly string[]> {
    this.received.databases += 1;
    return this.items()
      .filter(({ status, db }) => status === 'BEGIN' && !known.includes(String(db)))
      .slice(0, most)
      .map(({ db }) => String(db));
  }

  async carrying(most: number): Promise<readonly unknown[]> {
    this.received.carrying += 1;
    const writeOf = ({ etag }: { readonly etag: string }) => Number(etag.slice(1, -1));
    return [...this.#items.values()]
      .sort((a, b) => writeOf(b) - writeOf(a))
      .map(({ json }) => JSON.parse(json) as StoredItem)
      .filter(({ carries }) => carries === true)
      .slice(0, most)
      .map(({ _ces }) => (_ces as { readonly carried: unknown }).carried);
  }

  #find(db: string, most: number, isSought: (item: StoredItem) => boolean): readonly FoundItem[] {
    return [...this.#items.values()]
      .map(({ json, etag }) => ({ stored: JSON.parse(json) as StoredItem, etag }))
      .filter(({ stored }) => stored['db'] === db && isSought(stored))
      .sort((a, b) => (String(a.stored['commit']) < String(b.stored['commit']) ? -1 : 1))
      .slice(0, most);
  }

  get writes(): number {
    return this.#writes;
  }

  /** All requests: a bulk request counts with its operations. */
  get operations(): number {
    return Object.values(this.received).reduce((sum, count) => sum + count, 0);
  }

  items(): StoredItem[] {
    return [...this.#items.values()].map(({ json }) => JSON.parse(json));
  }

  item(pkkey: string): StoredItem | undefined {
    return this.items().find((item) => item.pkkey === pkkey);
  }

  #run(operation: ProgressOperation): ProgressOutcome {
    const key = `${operation.pkkey}/${operation.id}`;
    const stored = this.#items.get(key);
    switch (operation.kind) {
      case 'read':
        return stored === undefined
          ? { kind: 'missing' }
          : { kind: 'ok', stored: JSON.parse(stored.json), etag: stored.etag };
      case 'create':
        return stored === undefined ? this.#write(key, operation.item) : { kind: 'outrun' };
      case 'replace':
        if (stored === undefined) return { kind: 'missing' };
        return stored.etag === operation.etag ? this.#write(key, operation.item) : { kind: 'outrun' };
      default:
        return operation satisfies never;
    }
  }

  #write(key: string, item: object): ProgressOutcome {
    this.#writes += 1;
    const etag = `"${this.#writes}"`;
    const json = JSON.stringify(item);
    this.#items.set(key, { json, etag });
    this.written(JSON.parse(json), etag);
    return { kind: 'ok', etag };
  }
}

export interface ProgressFault {
  readonly outcome: ProgressOutcome;
  readonly done: boolean;
}

export type StoredItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly pkkey: string };
