import { fold } from '../../src/replica/fold.ts';
import { type ReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import { type RowChange, rowChanges } from '../../src/replica/rowChanges.ts';
import { updatesOf } from '../../src/settings/replicaSettings.ts';
import { jsonMessage } from './jsonMessage.ts';
import { changeOf } from './readBody.ts';
import type { TestEvent } from './testEvent.ts';
import { testSettings } from './testServices.ts';

/** What the store must hold once every event has been applied, by id: the pure functions alone, in one go. */
export function expectedItems(events: readonly TestEvent[]): ReplicaItem[] {
  const rows = new Map<string, RowChange[]>();
  for (const event of events) {
    const change = changeOf(jsonMessage(event));
    const options = { epoch: testSettings.epoch, updates: updatesOf(testSettings, change.table) };
    for (const row of rowChanges(change, options).rows) rows.set(row.id, [...(rows.get(row.id) ?? []), row]);
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, changes]) => {
      const [first] = changes;
      if (first === undefined) return [];
      const { state } = fold(
        null,
        changes.map((change) => change.state),
      );
      const item = toReplicaItem(first.id, first.table, state, testSettings.tombstoneSeconds);
      return [JSON.parse(JSON.stringify(item)) as ReplicaItem];
    });
}
