import type { JsonValue } from './jsonValue.ts';

/**
 * Stands in `row` for a text that did not fit into the item. Source values are always scalars, so an object in
 * `row` is always one of these.
 */
export interface LargeValueReference {
  /** Name of the blob in the container `large-values` whose content is the text, in UTF-8. */
  readonly $blob: string;
  /** Length of the content, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the content, in lower-case hex. */
  readonly sha256: string;
}

/** What a column is in `row`. */
export type RowValue = JsonValue | LargeValueReference;

export function isReference(value: RowValue): value is LargeValueReference {
  return typeof value === 'object' && value !== null;
}

/** Reads a reference back from a stored item; undefined when it is not one, property by property. */
export function readReference(value: object): LargeValueReference | undefined {
  const { $blob, bytes, sha256, ...others } = value as Readonly<Record<string, unknown>>;
  const isOne =
    typeof $blob === 'string' &&
    $blob !== '' &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    Object.keys(others).length === 0;
  return isOne ? { $blob, bytes: Number(bytes), sha256 } : undefined;
}
