import { foldName } from '../model/name.ts';

/**
 * Choices by names of the source. Case does not count, since it does not for SQL Server with its usual collations:
 * `email` is also the choice for a column `Email`. Where several names differ in case only, that which is written
 * exactly so comes first, then the first of the document.
 */
export class NameMap<Value extends NonNullable<unknown>> {
  readonly #exact: ReadonlyMap<string, Value>;
  readonly #folded = new Map<string, Value>();

  constructor(choices: Readonly<Record<string, Value>> = {}) {
    this.#exact = new Map(Object.entries(choices));
    for (const [name, value] of this.#exact) {
      const folded = foldName(name);
      if (!this.#folded.has(folded)) this.#folded.set(folded, value);
    }
  }

  /** @param folded of the name, by {@link foldName}: whoever asks several maps makes it once. */
  get(name: string, folded: string): Value | undefined {
    return this.#exact.get(name) ?? this.#folded.get(folded);
  }
}
