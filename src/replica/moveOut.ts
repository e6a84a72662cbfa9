import { createHash } from 'node:crypto';
import type { DocumentId } from './documentId.ts';
import type { LargeValueReference } from './largeValue.ts';
import { largeValueName } from './largeValueName.ts';
import type { LargeValue } from './largeValues.ts';
import type { Cell, RowState } from './rowState.ts';
import { versionOfStamp } from './stamp.ts';

export interface MovedOut {
  readonly state: RowState;
  /** What has to be stored before the item is: texts that the state refers to. */
  readonly values: readonly LargeValue[];
}

/**
 * Replaces texts of a row by references, the largest first, until its item is smaller by `excess` bytes of JSON.
 * Undefined when it does not become that small.
 * @param folder of the blobs.
 */
export function moveOut(
  id: DocumentId,
  folder: string,
  state: RowState,
  excess: number,
): MovedOut | undefined {
  const cells = new Map(state.cells);
  const values: LargeValue[] = [];
  let left = excess;
  for (const { column, cell, text, bytes } of largestFirst(state)) {
    if (left <= 0) break;
    const reference = referenceTo(id, folder, cell, text);
    const saved = bytes - jsonBytes(reference);
    if (saved <= 0) break;
    cells.set(column, { stamp: cell.stamp, value: reference });
    values.push({ name: reference.$blob, id, text });
    left -= saved;
  }
  return left <= 0 ? { state: { ...state, cells }, values } : undefined;
}

/** Size of a value in bytes of JSON. */
export function jsonBytes(value: object | string): number {
  return Buffer.byteLength(JSON.stringify(value));
}

interface Movable {
  readonly column: string;
  readonly cell: Cell;
  readonly text: string;
  readonly bytes: number;
}

/** Half of a surrogate pair has no UTF-8, so a text with one cannot become a blob and come back the same. */
function largestFirst(state: RowState): readonly Movable[] {
  return [...state.cells]
    .flatMap(([column, cell]) => {
      const text = cell.value;
      if (typeof text !== 'string' || !text.isWellFormed()) return [];
      return [{ column, cell, text, bytes: jsonBytes(text) }];
    })
    .sort((a, b) => b.bytes - a.bytes || (a.column < b.column ? -1 : 1));
}

function referenceTo(id: DocumentId, folder: string, cell: Cell, text: string): LargeValueReference {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const name = largeValueName(folder, id, versionOfStamp(cell.stamp), sha256);
  return { $blob: name, bytes: Buffer.byteLength(text), sha256 };
}
