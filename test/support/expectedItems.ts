import type { Table } from '../../src/model/table.ts';
import type { DocumentId } from '../../src/replica/documentId.ts';
import { fold } from '../../src/replica/fold.ts';
import { type ReplicaItem, toReplicaItem } from '../../src/replica/replicaItem.ts';
import { rowChanges } from '../../src/replica/rowChanges.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { jsonMessage } from './jsonMessage.ts';
import { changeOf } from './readBody.ts';
import type { TestEvent } from './testEvent.ts';
import { testSettings } from './testServices.ts';

/** What the store must hold once every event has been applied, by id: the pure functions alone, in one go. */
export function expectedItems(events: readonly TestEvent[]): ReplicaItem[] {
  const rows = new Map<DocumentId, { readonly table: Table; readonly states: readonly RowState[] }>();
  for (const event of events) {
    const change = changeOf(jsonMessage(event));
    const rules = testSettings.rules.of(change.table);
    for (const { id, state } of rowChanges(change, rules).rows)
      rows.set(id, { table: rules.table, states: [...(rows.get(id)?.states ?? []), state] });
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { table, states }]) => {
      const { state } = fold(null, states);
      const item = toReplicaItem(id, table, state, testSettings.tombstoneSeconds);
      return JSON.parse(JSON.stringify(item)) as ReplicaItem;
    });
}
