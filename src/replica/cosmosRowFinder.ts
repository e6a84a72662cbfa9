import type { Container } from '@azure/cosmos';
import { queryPages } from '../cosmos/queryPages.ts';
import { assert } from '../errors/bug.ts';
import { NUMBERED_PAGE_ROWS } from '../limits.ts';
import type { Version } from '../model/version.ts';
import type { DocumentId } from './documentId.ts';
import type { FoundRow, RowFinder, VersionRange } from './rowFinder.ts';

/** Finds rows with queries over all partitions; the index should have `/_ces/version/?`. */
export class CosmosRowFinder implements RowFinder {
  readonly #containers: ReadonlyMap<string | undefined, Container>;

  /** @param containers by the names that operations call them; undefined for the default one. */
  constructor(containers: ReadonlyMap<string | undefined, Container>) {
    this.#containers = containers;
  }

  get containers(): readonly (string | undefined)[] {
    return [...this.#containers.keys()];
  }

  async *find(
    name: string | undefined,
    db: string,
    ranges: readonly VersionRange[],
    abortSignal: AbortSignal,
  ): AsyncGenerator<readonly FoundRow[]> {
    const container = this.#containers.get(name);
    assert(container !== undefined, 'rows are looked for where there are some');
    const pages = queryPages<StoredRow>(
      container,
      queryOf(db, ranges),
      'rows to number',
      NUMBERED_PAGE_ROWS,
      abortSignal,
    );
    for await (const page of pages) yield page.map(toFound);
  }
}

interface StoredRow {
  readonly id: DocumentId;
  readonly db: string;
  readonly schema: string;
  readonly table: string;
  readonly version: Version;
  readonly place?: unknown;
}

function queryOf(db: string, ranges: readonly VersionRange[]) {
  const inRange = ranges.map((_, n) => `(c._ces.version >= @from${n} AND c._ces.version <= @to${n})`);
  return {
    query: `SELECT c.id, c.db, c["schema"], c["table"], c._ces.version,
      c._ces["transaction"].data_collection_order AS place
      FROM c WHERE c.db = @db AND (${inRange.join(' OR ')})`,
    parameters: [
      { name: '@db', value: db },
      ...ranges.flatMap(({ from, to }, n) => [
        { name: `@from${n}`, value: from },
        { name: `@to${n}`, value: to },
      ]),
    ],
  };
}

function toFound({ id, db, schema, table: name, version, place }: StoredRow): FoundRow {
  const dataCollectionOrder = typeof place === 'number' ? place : undefined;
  return { id, table: { db, schema, name }, version, dataCollectionOrder };
}
