import type { Table } from '../model/table.ts';
import type { Version } from '../model/version.ts';
import type { DocumentId } from './documentId.ts';

/** Finds rows by their newest change. The adapter speaks the SDK; tests search in memory. */
export interface RowFinder {
  /** Names of the containers that hold rows; undefined is the default one. */
  readonly containers: readonly (string | undefined)[];
  /**
   * Rows of a database, deleted ones included, whose newest change has a version in one of the ranges: page by page.
   * @throws OutageError when they cannot be read.
   */
  find(
    container: string | undefined,
    db: string,
    ranges: readonly VersionRange[],
    signal: AbortSignal,
  ): AsyncIterable<readonly FoundRow[]>;
}

/** Both ends included; versions are compared as text. */
export interface VersionRange {
  readonly from: Version;
  readonly to: Version;
}

export interface FoundRow {
  readonly id: DocumentId;
  readonly table: Table;
  readonly version: Version;
  /** Undefined where the row does not tell it. */
  readonly dataCollectionOrder: number | undefined;
}
