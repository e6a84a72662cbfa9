import { NUMBERED_CHANGES, NUMBERED_TRANSACTIONS } from '../limits.ts';
import type { Numbering } from './numbering.ts';

/** What one query looks for: some small transactions, or a part of a large one. */
export interface Portion {
  readonly parts: readonly Part[];
}

interface Part {
  readonly numbering: Numbering;
  /** Numbers of changes, both included. */
  readonly from: number;
  readonly to: number;
}

/** Cuts the numbers of transactions into portions, keeping the order, and leaving out gaps where one would begin. */
export function* portionsOf(numberings: readonly Numbering[]): Generator<Portion> {
  let parts: Part[] = [];
  let left = NUMBERED_CHANGES;
  for (const numbering of numberings) {
    const { arrived } = numbering;
    // Most numbers of a large transaction can be those of tables that are not streamed.
    for (let from = arrived.nextFrom(numbering.from); from !== undefined; ) {
      const to = Math.min(arrived.highest, from + left - 1);
      parts.push({ numbering, from, to });
      left -= to - from + 1;
      from = arrived.nextFrom(to + 1);
      if (left > 0 && parts.length < NUMBERED_TRANSACTIONS) continue;
      yield { parts };
      parts = [];
      left = NUMBERED_CHANGES;
    }
  }
  if (parts.length > 0) yield { parts };
}
