import type { Type } from 'avsc';

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
    const { value, offset } = type.reader.decode(bytes, start, type.resolver);
    return offset < 0 ? undefined : { value, end: offset };
  } catch {
    // avsc throws for lengths and numbers that no datum can have; all that counts here is that it is none.
    return undefined;
  }
}

/** How to read a datum: the fields that are wanted, of all that were written. */
export interface AvroType<Value> {
  readonly reader: Type;
  /** Skips the fields that are not wanted. */
  readonly resolver: Resolver;
  /** Never read: it only carries the type of the values. */
  readonly example?: Value;
}

/** avsc keeps the type of its resolvers to itself. */
type Resolver = ReturnType<Type['createResolver']>;

/**
 * avsc replaces invalid UTF-8 by U+FFFD without a word. This tells such a replacement from a U+FFFD that was
 * sent: the latter stands in the bytes as EF BF BD.
 */
export function hasReplacedText(texts: readonly string[], bytes: Buffer): boolean {
  let inTexts = 0;
  for (const text of texts) inTexts += occurrences(text, '\ufffd');
  return inTexts > 0 && inTexts > occurrences(bytes, '\ufffd');
}

function occurrences(within: string | Buffer, what: string): number {
  let count = 0;
  for (let at = within.indexOf(what); at >= 0; at = within.indexOf(what, at + 1)) count += 1;
  return count;
}
