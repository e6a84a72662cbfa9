import { MAX_BULK_BYTES, MAX_BULK_OPERATIONS } from '../limits.ts';

/** Cuts what is to be sent into bulk requests that Cosmos DB accepts, keeping the order. */
export function bulkChunks<Sized extends { readonly bytes: number }>(all: readonly Sized[]): Sized[][] {
  const chunks: Sized[][] = [];
  let chunk: Sized[] = [];
  let bytes = 0;
  for (const one of all) {
    const full =
      chunk.length === MAX_BULK_OPERATIONS || (chunk.length > 0 && bytes + one.bytes > MAX_BULK_BYTES);
    if (full) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(one);
    bytes += one.bytes;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
