import { type SequenceRange, SequenceSet } from './sequenceSet.ts';

/**
 * A set as text: ranges such as `1-5,7`, or, where that would be longer, `<first>:<one bit a number, base64>`. Changes
 * of two tables that alternate make as many ranges as changes, and a fraction of a byte each as bits.
 */
export function encodeSequences(set: SequenceSet): string {
  const first = set.ranges[0]?.[0] ?? 0;
  const prefix = `${first}:`;
  const bytes = Math.ceil((set.highest - first + 1) / BITS);
  const bitmapLength = prefix.length + Math.ceil(bytes / 3) * 4;
  // Telling that ranges are longer must not take writing millions of them.
  if (set.ranges.length * SHORTEST_RANGE <= bitmapLength) {
    const text = set.ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
    if (text.length <= bitmapLength) return text;
  }
  const bits = Buffer.alloc(bytes);
  for (const [from, to] of set.ranges) {
    for (let number = from; number <= to; number += 1) {
      const place = number - first;
      bits[place >>> 3] = (bits[place >>> 3] ?? 0) | (1 << (place & 7));
    }
  }
  return prefix + bits.toString('base64');
}

/** Undefined for a text that is none of ours. */
export function parseSequences(text: unknown): SequenceSet | undefined {
  if (text === '') return SequenceSet.empty;
  if (typeof text !== 'string') return undefined;
  const bitmap = /^(\d{1,16}):([A-Za-z0-9+/]+=*)$/.exec(text);
  if (bitmap !== null) return parseBitmap(Number(bitmap[1]), Buffer.from(bitmap[2] ?? '', 'base64'));
  if (!/^\d{1,16}(-\d{1,16})?(,\d{1,16}(-\d{1,16})?)*$/.test(text)) return undefined;
  return SequenceSet.of(
    text.split(',').map((range) => {
      const [from = '', to = from] = range.split('-');
      return [Number(from), Number(to)];
    }),
  );
}

const BITS = 8;
/** Characters of a range with its comma, but for the last. */
const SHORTEST_RANGE = 2;

function parseBitmap(first: number, bits: Buffer): SequenceSet {
  const ranges: SequenceRange[] = [];
  let start: number | undefined;
  for (let place = 0; place <= bits.length * BITS; place += 1) {
    const isSet = (((bits[place >>> 3] ?? 0) >>> (place & 7)) & 1) === 1;
    if (isSet) start ??= place;
    else if (start !== undefined) {
      ranges.push([first + start, first + place - 1]);
      start = undefined;
    }
  }
  return SequenceSet.of(ranges);
}
