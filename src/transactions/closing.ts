import { FAILING_MARK_MS, STREAM_QUIET_MS } from '../limits.ts';
import type { Commit } from './commit.ts';
import type { PartitionProgress } from './partitionProgress.ts';
import type { ClosedBy } from './transactionItem.ts';

/** How far the hub has been handled: read before the transactions that are judged by it. */
export interface Horizon {
  /** All partitions of the hub, by id. */
  readonly partitions: readonly PartitionProgress[];
  /** Time without arrivals after which a partition is taken to hold nothing more, in milliseconds. */
  readonly idleMs: number;
  /** When reading began, in milliseconds. */
  readonly now: number;
  /** Silence counts from there at the earliest, in milliseconds. */
  readonly silentSince: number;
}

/** A transaction as far as its end depends on it. */
export interface OpenTransaction {
  readonly commit: Commit;
  readonly firstSeen: number;
}

/**
 * Tells of the transactions of a database whether they are over: of each of its streams every partition has moved past
 * them, or has been silent for so long that nothing is to be expected. CES writes each stream group's changes into each
 * partition in the order of their commits, apart from repeats.
 */
export function closingIn(
  db: string,
  horizon: Horizon,
): (transaction: OpenTransaction) => ClosedBy | undefined {
  const { idleMs, now, silentSince } = horizon;
  const places = placesOf(db, horizon);
  const holds = holdsOn(db, horizon);
  return ({ commit, firstSeen }) => {
    if (holds.some((hold) => hold === undefined || hold <= commit)) return undefined;
    // None at all: of what came without telling its partition, or of streams that are forgotten.
    const last = places.length === 0 ? 0 : lastArrivalUpTo(commit, places);
    if (last === undefined) return 'position';
    return now - Math.max(last, firstSeen, silentSince) >= idleMs ? 'idle' : undefined;
  };
}

/** How far one stream is in one partition. */
interface Place {
  /** Empty where nothing of it has come. */
  readonly commit: Commit | '';
  /** Last arrival there or in any that is not further, in milliseconds. */
  readonly arrived: number;
}

/** Ascending, of all streams and partitions: looking at each of them for each transaction would take minutes. */
function placesOf(db: string, horizon: Horizon): readonly Place[] {
  const { partitions } = horizon;
  const places = streamsOf(db, horizon).flatMap((stream) =>
    partitions.map(({ streams, recovered }): Place => {
      const { commit, arrived } = streams.get(stream) ?? nowhere;
      // What waited behind a batch that failed comes after it.
      return { commit, arrived: Math.max(arrived, recovered) };
    }),
  );
  places.sort((a, b) => (a.commit < b.commit ? -1 : a.commit > b.commit ? 1 : 0));
  let last = 0;
  return places.map(({ commit, arrived }) => {
    last = Math.max(last, arrived);
    return { commit, arrived: last };
  });
}

const nowhere: Place = { commit: '', arrived: 0 };

/** Last arrival where nothing has moved past the commit; undefined when everything has. */
function lastArrivalUpTo(commit: Commit, places: readonly Place[]): number | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.commit ?? '') <= commit) low = middle + 1;
    else high = middle;
  }
  return places[low - 1]?.arrived;
}

/** Streams of a database that are in use: a stream group that is created anew leaves the old one behind. */
function streamsOf(db: string, { partitions, now }: Horizon): readonly string[] {
  const inUse = new Set<string>();
  for (const { streams } of partitions) {
    for (const [stream, progress] of streams)
      if (progress.db === db && now - progress.arrived < STREAM_QUIET_MS) inUse.add(stream);
  }
  return [...inUse];
}

/** Lowest commits of batches that fail; undefined for one that may hold anything. */
function holdsOn(db: string, { partitions, now }: Horizon): readonly (Commit | undefined)[] {
  return partitions.flatMap(({ failing }) =>
    // An instance that lost the partition leaves its mark behind for ever.
    failing === undefined || now - failing.at >= FAILING_MARK_MS
      ? []
      : failing.holds.filter((hold) => hold.db === undefined || hold.db === db).map(({ commit }) => commit),
  );
}
