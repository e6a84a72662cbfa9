import { LOOK_UP_EVERY_MS, MAX_KNOWN_STREAMS, MAX_STREAM_DATABASES } from '../limits.ts';
import type { KnownStream } from './partitionProgress.ts';

/** Whose each stream is, as this process has learned it: a segment tells its stream and not its database. */
export class KnownStreams {
  readonly #streams = new Map<string, readonly KnownStream[]>();
  readonly #askedFor = new Map<string, number>();

  /** All databases that have been told of a stream, the last one told first: one, where GUIDs are what they should be. */
  databases(stream: string): readonly KnownStream[] {
    return this.#streams.get(stream) ?? [];
  }

  learn(stream: string, known: KnownStream): void {
    if (this.#streams.size >= MAX_KNOWN_STREAMS) this.#streams.clear();
    const others = this.databases(stream).filter(({ db }) => db !== known.db);
    this.#streams.set(stream, [known, ...others].slice(0, MAX_STREAM_DATABASES));
  }

  /** Those that are unknown here and were not asked for of late. @param now in milliseconds. */
  toAskFor(streams: Iterable<string>, now: number): readonly string[] {
    return [...new Set(streams)].filter(
      (stream) =>
        !this.#streams.has(stream) && now - (this.#askedFor.get(stream) ?? -Infinity) >= LOOK_UP_EVERY_MS,
    );
  }

  askedFor(streams: readonly string[], now: number): void {
    if (this.#askedFor.size >= MAX_KNOWN_STREAMS) this.#askedFor.clear();
    for (const stream of streams) this.#askedFor.set(stream, now);
  }
}
