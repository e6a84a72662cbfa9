import { OUT_OF_ORDER_SHARE, OUT_OF_ORDER_WINDOW, WATCHED_EVENTS, WATCHED_TABLES } from '../limits.ts';
import { isSnapshot } from '../model/position.ts';
import type { ObservedRow } from './observed.ts';
import { RecentMap } from './recentMap.ts';
import type { Warning } from './warnings.ts';

/**
 * Watches how many changes come late: after a newer change of the same row, which this batch brought before them or
 * the replica had already. The replica knows what other instances did, so disorder between partitions shows wherever
 * they are read. Copies of changes that this process saw before are not counted: hubs deliver more than once.
 */
export class OutOfOrder {
  readonly #seen = new RecentMap<true>(WATCHED_EVENTS);
  readonly #tables = new RecentMap<{ changes: number; late: number }>(WATCHED_TABLES);

  observe(rows: readonly ObservedRow[]): readonly Warning[] {
    // An event that changes a key touches two rows, and is new to both.
    const fresh = new Map<string, ObservedRow>();
    const found = new Map<string, Warning>();
    for (const row of rows) {
      const { table, changes, before } = row;
      const counts = this.#tables.get(table) ?? { changes: 0, late: 0 };
      this.#tables.set(table, counts);
      let newest = before?.stamp;
      for (const { change, position } of changes) {
        const event = change.position.text;
        if (isSnapshot(change.position)) continue;
        if (this.#seen.has(event) && (fresh.get(event) ?? row) === row) continue;
        this.#seen.set(event, true);
        fresh.set(event, row);
        counts.changes += 1;
        if (newest !== undefined && position.stamp < newest) counts.late += 1;
        else newest = position.stamp;
        if (counts.changes < OUT_OF_ORDER_WINDOW) continue;
        if (counts.late > OUT_OF_ORDER_SHARE * counts.changes) found.set(table, warningOf(table, counts));
        counts.changes = 0;
        counts.late = 0;
      }
    }
    return [...found.values()];
  }
}

function warningOf(table: string, { changes, late }: { changes: number; late: number }): Warning {
  const detail = `${late} of ${changes} changes came after a newer change of their row`;
  return { code: 'out-of-order', subject: table, detail };
}
