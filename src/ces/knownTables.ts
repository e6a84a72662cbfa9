import type { Column } from '../model/change.ts';
import type { Table } from '../model/table.ts';

/** What a message says of its table. It is the same in message after message, until the table changes. */
export interface TableDescription {
  readonly table: Table;
  readonly columns: readonly Column[];
}

/**
 * Descriptions by the very characters they were decoded from. Describing the table is more than half of what a
 * message of a small row holds; what stands there again word for word need not be decoded again.
 */
class KnownTables {
  readonly #descriptions = new Map<string, TableDescription>();
  #characters = 0;

  get(written: string): TableDescription | undefined {
    return this.#descriptions.get(written);
  }

  add(written: string, description: TableDescription): void {
    if (written.length > MOST_CHARACTERS) return;
    if (this.#characters + written.length > MOST_CHARACTERS) {
      this.#descriptions.clear();
      this.#characters = 0;
    }
    // A slice would keep the whole message it was cut from in memory.
    this.#descriptions.set(Buffer.from(written).toString(), description);
    this.#characters += written.length;
  }
}

/** Characters of all descriptions kept: thousands of tables, or of sets of changed columns. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const knownTables = new KnownTables();
