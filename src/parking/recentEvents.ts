import type { LogicalId } from '../model/logicalId.ts';

/**
 * Split events that this instance has brought to their end. It saves Blob calls and nothing else: a late copy
 * of a segment is parked and found out there when this memory does not know it.
 */
export class RecentEvents {
  readonly #known = new Set<string>();
  readonly #most: number;

  /** @param most events remembered; the oldest are forgotten first. */
  constructor(most: number) {
    this.#most = most;
  }

  has(event: Pick<LogicalId, 'text'>): boolean {
    return this.#known.has(event.text);
  }

  add(event: Pick<LogicalId, 'text'>): void {
    this.#known.delete(event.text);
    this.#known.add(event.text);
    for (const oldest of this.#known) {
      if (this.#known.size <= this.#most) return;
      this.#known.delete(oldest);
    }
  }
}
