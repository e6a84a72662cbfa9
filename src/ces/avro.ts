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
    const { value, offset } = type.type.decode(bytes, start);
    return offset < 0 ? undefined : { value, end: offset };
  } catch {
    // avsc throws for lengths and numbers that no datum can have; all that counts here is that it is none.
    return undefined;
  }
}

/** An avsc type together with the TypeScript type of its values. */
export interface AvroType<Value> {
  readonly type: Type;
  /** Never read: it only carries the type of the values. */
  readonly example?: Value;
}

/**
 * avsc replaces invalid UTF-8 by U+FFFD without a word. This tells such a replacement from a U+FFFD that was
 * sent: the latter stands in the bytes as EF BF BD.
 */
export function replacedText(texts: readonly string[], bytes: Buffer): boolean {
  const inTexts = texts.reduce((count, text) => count + occurrences(text, '\ufffd'), 0);
  return inTexts > 0 && inTexts > occurrences(bytes, '\ufffd');
}

function occurrences(within: string | Buffer, what: string): number {
  let count = 0;
  for (let at = within.indexOf(what); at >= 0; at = within.indexOf(what, at + 1)) count += 1;
  return count;
}
