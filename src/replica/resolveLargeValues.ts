import { createHash } from 'node:crypto';
import type { JsonValue } from './jsonValue.ts';
import { isReference, type LargeValueReference, type RowValue } from './largeValue.ts';

/** An item as far as its columns go; a tombstone has no `row`. */
export interface WithRow {
  readonly row?: Readonly<Record<string, RowValue>>;
}

/** The same item with every text in its place. */
export type Resolved<Item extends WithRow> = Omit<Item, 'row'> & {
  readonly row?: Readonly<Record<string, JsonValue>>;
};

/** What lies under the name of a large value is not what the item refers to. */
export class WrongLargeValue extends Error {
  override readonly name = 'WrongLargeValue';
}

/**
 * Puts the texts into an item that did not fit into it. An item without references is given back as it is.
 * @param item a replica item as Cosmos DB gives it.
 * @param read gives the content of a blob of the container `large-values`. When a blob is gone (404), the item has been
 * replaced since it was read: read it again.
 * @throws WrongLargeValue when length or hash of a content are not those of the reference; whatever `read` throws.
 */
export async function resolveLargeValues<Item extends WithRow>(
  item: Item,
  read: (name: string) => Promise<Uint8Array>,
): Promise<Resolved<Item>> {
  const { row } = item;
  if (row === undefined || !Object.values(row).some(isReference)) return item as Resolved<Item>;
  const entries = Object.entries(row).map(
    async ([column, value]): Promise<[string, JsonValue]> => [
      column,
      isReference(value) ? textOf(value, await read(value.$blob)) : value,
    ],
  );
  return { ...item, row: Object.fromEntries(await Promise.all(entries)) };
}

function textOf({ $blob, bytes, sha256 }: LargeValueReference, content: Uint8Array): string {
  if (content.length !== bytes)
    throw new WrongLargeValue(`the blob ${$blob} has ${content.length} bytes, not ${bytes}`);
  if (createHash('sha256').update(content).digest('hex') !== sha256)
    throw new WrongLargeValue(`the blob ${$blob} has another SHA-256 than ${sha256}`);
  return Buffer.from(content).toString('utf8');
}
