/** Avro's binary encoding written by hand, so that tests do not share a bug with the library that reads it. */

/** int and long: zigzag, then seven bits a byte, the lowest first. */
export function avroLong(value: number | bigint): Buffer {
  const number = BigInt(value);
  let rest = number >= 0n ? number * 2n : -number * 2n - 1n;
  const bytes: number[] = [];
  while (rest >= 0x80n) {
    bytes.push(Number(rest % 0x80n) + 0x80);
    rest /= 0x80n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

export function avroBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([avroLong(bytes.length), bytes]);
}

export function avroText(text: string): Buffer {
  return avroBytes(Buffer.from(text, 'utf8'));
}

export function avroBoolean(value: boolean): Buffer {
  return Buffer.from([value ? 1 : 0]);
}

/**
 * An array in blocks of `blockItems` items. With `sized` the counts are negative and the size of each block in
 * bytes follows, as writers may do.
 */
export function avroArray(
  items: readonly Buffer[],
  { blockItems = items.length, sized = false }: ArrayForm = {},
): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < items.length; start += blockItems) {
    const block = items.slice(start, start + blockItems);
    const content = Buffer.concat(block);
    parts.push(avroLong(sized ? -block.length : block.length));
    if (sized) parts.push(avroLong(content.length));
    parts.push(content);
  }
  return Buffer.concat([...parts, avroLong(0)]);
}

export interface ArrayForm {
  /** At least 1; all in one block unless given. */
  readonly blockItems?: number;
  readonly sized?: boolean;
}
