const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a of the UTF-8 bytes of `text`: chooses partitions and tells random streams apart. */
export function hash(text: string): number {
  let state = FNV_OFFSET;
  for (const byte of Buffer.from(text, 'utf8')) state = Math.imul(state ^ byte, FNV_PRIME);
  return state >>> 0;
}
