/** From and to, both included. */
export type SequenceRange = readonly [from: number, to: number];

/** Sequence numbers of a transaction, kept as ascending ranges that neither overlap nor touch. Never changed. */
export class SequenceSet {
  static readonly empty = new SequenceSet([]);
  readonly ranges: readonly SequenceRange[];
  /** Numbers before each range; made when a place is asked for, since most sets are never asked. */
  #before: readonly number[] | undefined;

  /** @param ranges ascending, neither overlapping nor touching; {@link SequenceSet.of} takes any. */
  private constructor(ranges: readonly SequenceRange[]) {
    this.ranges = ranges;
  }

  /** @param ranges of whole numbers from 0, in any order. */
  static of(ranges: Iterable<SequenceRange>): SequenceSet {
    const ascending = [...ranges].sort(([a], [b]) => a - b);
    const merged: [number, number][] = [];
    for (const [from, to] of ascending) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    return new SequenceSet(merged);
  }

  static ofNumbers(numbers: Iterable<number>): SequenceSet {
    return SequenceSet.of([...numbers].map((number) => [number, number] as const));
  }

  get size(): number {
    return this.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  /** 0 for the empty set. */
  get highest(): number {
    return this.ranges.at(-1)?.[1] ?? 0;
  }

  /** The lowest number of the set that is not below this one; undefined when all are. */
  nextFrom(number: number): number | undefined {
    let [low, high] = [0, this.ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ranges[middle]?.[1] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    const range = this.ranges[low];
    return range && Math.max(range[0], number);
  }

  has(number: number): boolean {
    return this.#rangeOf(number) !== undefined;
  }

  /** Place of a number among those of the set, from 1; undefined when it is none of them. */
  placeOf(number: number): number | undefined {
    const index = this.#rangeOf(number);
    if (index === undefined) return undefined;
    this.#before ??= this.#counts();
    return (this.#before[index] ?? 0) + number - (this.ranges[index]?.[0] ?? 0) + 1;
  }

  #rangeOf(number: number): number | undefined {
    let [low, high] = [0, this.ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const [from, to] = this.ranges[middle] ?? [0, 0];
      if (number < from) high = middle - 1;
      else if (number > to) low = middle + 1;
      else return middle;
    }
    return undefined;
  }

  #counts(): readonly number[] {
    let sum = 0;
    return this.ranges.map(([from, to]) => {
      const before = sum;
      sum += to - from + 1;
      return before;
    });
  }

  union(other: SequenceSet): SequenceSet {
    if (other.ranges.length === 0) return this;
    if (this.ranges.length === 0) return other;
    return SequenceSet.of([...this.ranges, ...other.ranges]);
  }

  /** What is in this set and not in the other. */
  without(other: SequenceSet): SequenceSet {
    const left: SequenceRange[] = [];
    let next = 0;
    for (const [from, to] of this.ranges) {
      while ((other.ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) < from) next += 1;
      let start = from;
      for (let at = next; start <= to; at += 1) {
        const [cutFrom, cutTo] = other.ranges[at] ?? [Number.POSITIVE_INFINITY, 0];
        if (cutFrom > to) break;
        if (cutFrom > start) left.push([start, cutFrom - 1]);
        start = cutTo + 1;
      }
      if (start <= to) left.push([start, to]);
    }
    return new SequenceSet(left);
  }

  /** What lies between 1 and the highest number and is not in the set. */
  gaps(): SequenceSet {
    return this.highest === 0 ? SequenceSet.empty : SequenceSet.of([[1, this.highest]]).without(this);
  }
}
