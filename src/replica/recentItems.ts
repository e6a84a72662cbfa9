import type { DocumentId } from './documentId.ts';
import type { ReplicaItem } from './replicaItem.ts';

/** An item as it was stored when someone looked last. */
export interface KnownItem {
  readonly stored: unknown;
  readonly etag: string;
}

interface Written {
  readonly id: DocumentId;
  /** Of the row's table; undefined: the default one. */
  readonly container: string | undefined;
  readonly item: ReplicaItem;
  /** Size of the item in bytes of JSON. */
  readonly bytes: number;
  readonly etag: string;
}

/**
 * Items that this process has written last. A row that changes again soon is written without being read first: the etag
 * shows whether it is still what is stored. Nothing else may rest on it, since others write, too.
 */
export class RecentItems {
  readonly #items = new Map<string, Written>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param mostBytes of items together; those written longest ago are forgotten first. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(id: DocumentId, container: string | undefined): KnownItem | undefined {
    const written = this.#items.get(keyOf(id, container));
    return written && { stored: written.item, etag: written.etag };
  }

  add(written: Written): void {
    const { id, container, bytes } = written;
    this.forget(id, container);
    this.#items.set(keyOf(id, container), written);
    this.#bytes += bytes;
    for (const oldest of this.#items.values()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.forget(oldest.id, oldest.container);
    }
  }

  forget(id: DocumentId, container: string | undefined): void {
    const key = keyOf(id, container);
    this.#bytes -= this.#items.get(key)?.bytes ?? 0;
    this.#items.delete(key);
  }
}

/** No name of a container has a slash. */
function keyOf(id: DocumentId, container = ''): string {
  return `${container}/${id}`;
}
