import type { ObservedBatch } from './observed.ts';
import type { Warning } from './warnings.ts';

/** The hub has more partitions than HUB_PARTITIONS tells. */
export function morePartitions({ hub }: ObservedBatch): readonly Warning[] {
  if (hub === undefined) return [];
  const highest = Math.max(...[...hub.partitions].map(Number).filter(Number.isSafeInteger));
  if (highest < hub.told) return [];
  const detail = `a message came from partition ${highest}, and the first is 0; HUB_PARTITIONS is ${hub.told}`;
  return [{ code: 'more-partitions', subject: 'HUB_PARTITIONS', detail }];
}
