import type { FoundRow, RowFinder, VersionRange } from '../../src/replica/rowFinder.ts';
import type { MemoryStore } from './memoryStore.ts';

const PAGE_ROWS = 3;

/** Searches a store in memory, in small pages: of each, what is stored when it is asked for. */
export class MemoryRowFinder implements RowFinder {
  readonly containers = [undefined];
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async *find(
    _container: string | undefined,
    db: string,
    ranges: readonly VersionRange[],
  ): AsyncGenerator<readonly FoundRow[]> {
    const ids = this.#store.items().map(({ id }) => id);
    for (let start = 0; start < ids.length; start += PAGE_ROWS) {
      const items = ids.slice(start, start + PAGE_ROWS).flatMap((id) => this.#store.item(id) ?? []);
      yield items
        .filter((item) => item.db === db)
        .filter(({ _ces: { version } }) => ranges.some(({ from, to }) => version >= from && version <= to))
        .map(({ id, db, schema, table: name, _ces: { version, transaction } }) => ({
          id,
          table: { db, schema, name },
          version,
          dataCollectionOrder: transaction?.data_collection_order,
        }));
    }
  }
}
