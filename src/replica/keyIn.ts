import type { Image, KeyColumn } from '../model/change.ts';

/** The key as an image has it; null when the image lacks a key column. */
export function keyIn(image: Image, key: readonly KeyColumn[]): readonly KeyColumn[] | null {
  const found: KeyColumn[] = [];
  for (const { column } of key) {
    const value = Object.hasOwn(image, column) ? image[column] : undefined;
    if (value === undefined || value === null) return null;
    found.push({ column, value });
  }
  return found;
}
