import { readParkedEvent, readParkedName } from './parkedName.ts';
import type { FoundGroup, FoundSegment } from './parking.ts';

/** A blob of the parking container as a listing tells of it. */
export interface ListedBlob {
  readonly name: string;
  readonly final: boolean;
  readonly modified: Date;
  readonly bytes: number;
}

/**
 * Brings the blobs of each event together. A listing is sorted by name, so they come one after the other, though
 * not always on one page. Blobs with names that are none of ours are passed over.
 */
export async function* groupBlobs(blobs: AsyncIterable<ListedBlob>): AsyncGenerator<FoundGroup> {
  let open: (FoundGroup & { readonly segments: FoundSegment[] }) | undefined;
  for await (const { name, final, modified, bytes } of blobs) {
    const event = readParkedEvent(name);
    const place = readParkedName(name);
    if (event === undefined || place === undefined) continue;
    if (open !== undefined && open.event.text !== event.text) {
      yield open;
      open = undefined;
    }
    open ??= { event, segments: [], releasedAt: undefined };
    if (place === 'released') open = { ...open, releasedAt: modified };
    else open.segments.push({ index: place.index, final, bytes, parkedAt: modified });
  }
  if (open !== undefined) yield open;
}
