import type { Operation } from '../model/operation.ts';
import type { JsonValue } from './jsonValue.ts';
import type { RowValue } from './largeValue.ts';
import { isDeleteStamp, type Stamp } from './stamp.ts';

/**
 * All that is known of a row: the stamp of its newest image (an insert, a delete, or an update that counts as
 * one), and per column its newest value. {@link join} makes it a lattice: however changes are grouped, ordered
 * or repeated, the same state comes out.
 */
export interface RowState {
  /** Null while no image has been seen: CES has no snapshot, so rows can start with an update. */
  readonly image: Stamp | null;
  /** Columns of the image and those set since; none older than the image. */
  readonly cells: ReadonlyMap<string, Cell>;
  readonly newest: Newest;
}

export interface Cell {
  readonly stamp: Stamp;
  /** A text, or the reference that stands for it: of one version they are the same value. */
  readonly value: RowValue;
}

/** The newest change seen, whether an image or not. */
export interface Newest {
  readonly stamp: Stamp;
  readonly operation: Operation;
  /** UTC commit time as sent. */
  readonly time: string | null;
  /** Number within the transaction, where the version does not tell it and the message did. */
  readonly totalOrder?: number;
  /**
   * Number within the transaction among the changes of the table: told by the message, or known since the transaction
   * has ended. It is no part of what the change says.
   */
  readonly dataCollectionOrder?: number;
  /** Key columns as JSON values, in key order. */
  readonly key: Readonly<Record<string, JsonValue>>;
}

/** A deleted row: the delete is the newest that is known of it. Its columns are known where they are kept. */
export function isDeleted({ image, cells, newest }: RowState): boolean {
  return newest.operation === 'DEL' || (image !== null && isDeleteStamp(image) && cells.size === 0);
}
