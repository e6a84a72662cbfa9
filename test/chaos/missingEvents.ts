import type { HubMessage } from '../../local/hubMessage.ts';
import type { StoredItem } from '../../local/run/storedItem.ts';
import { assembleEvent } from '../../src/ces/assembleEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import type { Segment } from '../../src/model/segment.ts';
import { groupPrefix } from '../../src/parking/parkedName.ts';
import { fold } from '../../src/replica/fold.ts';
import { fromReplicaItem } from '../../src/replica/replicaItem.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import { rulesFor } from '../support/rulesFor.ts';

/**
 * The events of these parking prefixes that the replica does not have: applied again, they would change an item.
 * @param messages all that the hub ever had.
 */
export function missingEvents(
  groups: ReadonlySet<string>,
  messages: readonly HubMessage[],
  items: readonly StoredItem[],
): readonly string[] {
  if (groups.size === 0) return [];
  const stored = new Map(items.map((item) => [item.id, item]));
  const segments = messages.map(({ body }) => readMessage(Buffer.from(body)));
  const byGroup = Map.groupBy(segments, ({ logicalId }) => groupPrefix(logicalId));
  return [...groups].filter((group) => !isApplied(byGroup.get(group) ?? [], stored));
}

function isApplied(segments: readonly Segment[], stored: ReadonlyMap<string, StoredItem>): boolean {
  const distinct = [...new Map(segments.map((segment) => [segment.index, segment])).values()];
  const assembly = assembleEvent(distinct);
  if (assembly.state !== 'whole') return false;
  const { rows } = rowChanges(assembly.change, rulesFor(assembly.change.table));
  return rows.every(({ id, state }) => {
    const item = stored.get(id);
    return item !== undefined && fold(fromReplicaItem(item), [state]).applied[0] === false;
  });
}
