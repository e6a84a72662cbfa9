import type { RuleBook } from './ruleBook.ts';

/** Choices that shape the replica; connections and names are elsewhere. */
export interface ReplicaSettings {
  /** Life of a tombstone, in seconds. */
  readonly tombstoneSeconds: number;
  /** Time an incomplete event waits for its missing segments, in seconds; shorter than the life of a tombstone. */
  readonly parkedSeconds: number;
  /** Time a batch may take, in seconds. */
  readonly batchDeadlineSeconds: number;
  /** Per-table choices. */
  readonly rules: RuleBook;
}
