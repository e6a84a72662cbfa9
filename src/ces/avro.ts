import avsc from 'avsc';

export interface Decoded<Value> {
  readonly value: Value;
  /** Position after the datum. */
  readonly end: number;
}

/** Decodes one datum at `start`; undefined when the bytes end early or do not follow the type. */
export function decodeAvro<Value>(
  type: AvroType<Value>,
  bytes: Buffer,
  start: number,
): Decoded<Value> | undefined {
  try {
    const { value, offset } = type.type.decode(bytes, start);
    return offset < 0 ? undefined : { value, end: offset };
  } catch {
    // avsc throws for lengths and numbers that no datum can have; all that counts here is that it is none.
    return undefined;
  }
}

/**
 * Decodes an array at `start`, block by block and item by item; undefined as {@link decodeAvro}. avsc makes room
 * for as many items as the bytes announce, so that a single damaged byte could take all memory and time; here the
 * first item that is not there ends it.
 */
export function decodeAvroArray<Item>(
  itemType: AvroType<Item>,
  bytes: Buffer,
  start: number,
): Decoded<readonly Item[]> | undefined {
  const items: Item[] = [];
  for (let at = start; ; ) {
    const count = decodeAvro(longType, bytes, at);
    if (count === undefined) return undefined;
    if (count.value === 0) return { value: items, end: count.end };
    // A negative count is followed by the size of the block, for readers that skip it.
    const size = count.value < 0 ? decodeAvro(longType, bytes, count.end) : count;
    if (size === undefined) return undefined;
    at = size.end;
    for (let left = Math.abs(count.value); left > 0; left -= 1) {
      const item = decodeAvro(itemType, bytes, at);
      if (item === undefined) return undefined;
      items.push(item.value);
      at = item.end;
    }
  }
}

/** An avsc type together with the TypeScript type of its values. */
export interface AvroType<Value> {
  readonly type: avsc.Type;
  /** Never read: it only carries the type of the values. */
  readonly example?: Value;
}

const longType: AvroType<number> = { type: avsc.Type.forSchema('long') };

/**
 * avsc replaces invalid UTF-8 by U+FFFD without a word. This tells such a replacement from a U+FFFD that was
 * sent: the latter stands in the bytes as EF BF BD.
 */
export function replacedText(texts: Iterable<string>, bytes: Buffer): boolean {
  let inTexts = 0;
  for (const text of texts) inTexts += occurrences(text, '\ufffd');
  return inTexts > 0 && inTexts > occurrences(bytes, '\ufffd');
}

function occurrences(within: string | Buffer, what: string): number {
  let count = 0;
  for (let at = within.indexOf(what); at >= 0; at = within.indexOf(what, at + 1)) count += 1;
  return count;
}
